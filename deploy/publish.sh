#!/bin/sh
# Publishes the site of this release. `deploy/publish.sh once` does it now. Without an argument, it does so whenever the organization's
# folder (SITE_FOLDER) has changed and then hasn't for ten seconds, as ssdi-advocate-publish.service or in a container.
# `deploy/publish.sh settings` prints, of a settings file, what goes into pages and where the folder is: publishing gets no secret.
set -u
setting() { echo "^[[:space:]]*(export[[:space:]]+)?($1)[[:space:]]*="; }
if [ "${1:-}" = settings ]; then
  grep -E "$(setting 'SITE_URL|HSTS_SUBDOMAINS|SITE_LEAD_ENDPOINT|TRUSTEDFORM|SITE_FOLDER')" || true
  exit
fi

cd "$(dirname "$0")/.."
node=node_modules/.bin/node
[ -e $node ] || node=node
[ "${1:-}" != once ] || exec $node publish/main.ts

folder=${SITE_FOLDER:-$(sed -nE "s/$(setting SITE_FOLDER)[[:space:]]*['\"]?([^'\"]*[^'\"[:space:]]).*/\3/p" "${SETTINGS_FILE:-/dev/null}" | tail -n 1)}
# Names, sizes, and times of all files.
state_of() { find "$1" -name .git -prune -o -printf '%P %s %T@ %C@\n' 2>/dev/null | sort | cksum; }

# Counted, because clocks jump.
published='' seen='' unchanged=0
while :; do
  sleep 5
  state=none
  [ -z "$folder" ] || state=$(state_of "$folder")
  if [ "$state" = "$seen" ]; then unchanged=$((unchanged + 1)); else seen=$state unchanged=0; fi
  [ "$seen" != "$published" ] && [ $unchanged -ge 2 ] || continue
  $node publish/main.ts
  # 3: a mistake in the folder, which stays until someone changes it. Anything else, such as a full disk, may be over in a minute.
  case $? in 0 | 3) published=$seen ;; *) unchanged=-10 ;; esac
done
