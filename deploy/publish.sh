#!/bin/sh
# Publishes the site of this release. `deploy/publish.sh once` does it now. Without an argument, it does so whenever the organization's
# folder (SITE_FOLDER) has changed and then hasn't for ten seconds, as ssdi-advocate-publish.service or in a container.
set -u
cd "$(dirname "$0")/.."
node=node_modules/.bin/node
# Otherwise, pictures take up to 100 MB more, because each thread keeps memory of its own.
export MALLOC_ARENA_MAX=1
[ "${1:-}" != once ] || exec $node publish/main.ts

folder=${SITE_FOLDER:-$($node cli/settings.ts "${SETTINGS_FILE:-.env}" get SITE_FOLDER)}
# Names, sizes, and times of all files. The folder may be a link.
state_of() { find -H "$1" -name .git -prune -o -printf '%P %s %T@ %C@\n' 2>/dev/null | sort | cksum; }

# Counted, because clocks jump.
published='' seen='' unchanged=0
while :; do
  sleep 5
  state=none
  [ -z "$folder" ] || state="$(state_of "$folder") $(cksum "${REVIEWED_TEXTS:-/dev/null}" 2>/dev/null)"
  if [ "$state" = "$seen" ]; then unchanged=$((unchanged + 1)); else seen=$state unchanged=0; fi
  [ "$seen" != "$published" ] && [ $unchanged -ge 2 ] || continue
  $node publish/main.ts
  # 3: a mistake in the folder, which stays until someone changes it. Anything else, such as a full disk, may be over in a minute.
  case $? in 0 | 3) published=$seen ;; *) unchanged=-10 ;; esac
done
