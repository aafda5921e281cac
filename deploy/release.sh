#!/bin/sh
# Puts a release next to the running one, publishes the site with it, then switches over:
#   deploy/release.sh FILE            installs a release file; SHA256SUMS is beside it
#   deploy/release.sh                 installs the release file that this script was unpacked from
#   deploy/release.sh back            goes back to the last release that worked
#   deploy/release.sh back --restore BACKUP   …and to the backup from before it, if the store has been upgraded since
# A release that crashes, or isn't ready within 15 minutes, is rolled back. The last five that worked are kept.
# Also installs changed systemd units and nginx files, unless someone has edited them: then it says what to compare.
set -eu
umask 022

# shellcheck disable=SC2012,SC2015
home=/srv/ssdi-advocate user=ssdi-advocate publisher=ssdi-advocate-publish service=ssdi-advocate
export SETTINGS_FILE=/etc/ssdi-advocate.env
case ${1:-} in '' | back) ;; *) file=$(realpath "$1") ;; esac
cd -P "$(dirname "$0")/.."
fail() { echo "release: $*" >&2 && exit 1; }
[ "$(id -u)" = 0 ] || fail 'Run this script with sudo.'
[ -x node_modules/node/bin/node ] || fail "This isn't an unpacked release file. Make one with \`npm run release\`, on any machine: docs/upgrade.md."
program=$PWD
setting() { "$program/node_modules/.bin/node" "$program/cli/settings.ts" $SETTINGS_FILE get "$1"; }
. deploy/files.sh

current=$(basename "$(readlink "$home/current" || true)")
# Releases that were ready once have this file.
worked() { echo "$home/releases/$1/.worked"; }
releases_that_worked() { ls -d "$home"/releases/*/.worked 2>/dev/null | xargs -rn 1 dirname | xargs -rn 1 basename; }
store_version() { sed -nE 's/^export const STORE_VERSION = ([0-9]+).*/\1/p' "$home/releases/$1/server/store/schema.ts"; }

# The shell ignores errors in a function that's called in a condition or before && or ||, so those that write files aren't.
unfinished='' switched=no
clean_up() {
  remove_prepared
  [ -z "$unfinished" ] || rm -rf "$release" "$home/sites/$name"
  [ $switched = yes ] || [ -z "$current" ] || echo "$current goes on running." >&2
}

desk=$(systemctl is-active "$service-desk" || true)

# switch_to NAME. First everything that takes up space, so a full disk changes nothing; the renames can't fail for lack of it.
switch_to() {
  ln -sfn "releases/$1" "$home/current.new"
  prepare_files "$home/releases/$1"
  switched=yes unfinished=''
  mv -T "$home/current.new" "$home/current"
  install_files || true
  # A server doesn't upgrade a PostgreSQL store while a desk of the previous version is connected.
  [ "$desk" != active ] || systemctl stop "$service-desk"
  systemctl restart "$service"
  # Also resets the count of restarts, which may be left from the previous release's crashes.
  systemctl reset-failed "$service"
  [ "$desk" != active ] || systemctl start "$service-desk"
}

# The newest release asks, because 0.7.0 can't.
ask() { runuser -u "$user" -- "$newest/node_modules/.bin/node" "$newest/cli/check/ready.ts" "$@"; }

# Upgrading a large store takes minutes. An interrupted upgrade changes nothing but would never finish, so wait unless the server
# crashes, or says for half a minute that it failed. It may take longer until older servers on other machines are stopped.
is_ready() {
  failures=0 told=''
  for _ in $(seq 900); do
    now=$(ask || true)
    [ "$now" != ready ] || return 0
    case $now in failed*) failures=$((failures + 1)) ;; *) failures=0 ;; esac
    case $now in
      "$told") ;;
      'failed '* | 'upgrading '*) echo "Not ready yet: $now" >&2 && told=$now ;;
    esac
    [ $failures -lt 30 ] || return 1
    [ "$(systemctl show --property NRestarts --value "$service")" = 0 ] || return 1
    sleep 1
  done
  return 1
}

# Whether $1 can't open the store anymore, because $2 has upgraded it.
is_store_newer() { [ "$(store_version "$1")" -lt "$(store_version "$2")" ] && [ "$(ask store 2>/dev/null)" = current ]; }

say_what_back_takes() {
  cat >&2 <<BACK
$1 can't use the store anymore: $2 has upgraded it. Going back also means going back to the backup from before. Leads that came
in later are exported first, to a file beside it:
  sudo $home/current/deploy/release.sh back --restore BACKUP
Backups, newest first:
$(ls -t /var/backups/ssdi-advocate/leads-*.backup 2>/dev/null | head -n 3 | sed 's/^/  /')
BACK
}

# exchange_store BEFORE BACKUP. What came in since the backup is in no store that's in use afterward, so it's written to a file.
exchange_store() {
  # The backup began before it was complete.
  since=$(date -u -d "@$(($(stat -c %Y "$2") - 900))" +%FT%TZ) later=$(dirname "$2")/leads-since-$(date -u +%F-%H%M).csv
  leads_of "$current" export --since "$since" >"$later" && chown "$user:" "$later" && chmod 600 "$later" || return 1
  echo "Leads since $since are in $later."
  leads_of "$1" restore "$2" --yes
}
leads_of() { release_of=$home/releases/$1 && shift && runuser -u "$user" -- "$release_of/node_modules/.bin/node" "$release_of/cli/main.ts" "$@"; }

# publish NAME. It opens other people's pictures, so it gets no network, no secret, and no terminal. Its folder is in one that only root
# can change, so nothing there can lead root elsewhere.
publish() {
  [ -e "$home/sites/$1" ] || install -d -o "$publisher" -g "$publisher" "$home/sites/$1"
  settings_for_pages=/run/ssdi-advocate-publish.env
  "$program/node_modules/.bin/node" "$program/cli/settings.ts" $SETTINGS_FILE for-pages >$settings_for_pages
  systemd-run --quiet --wait --pipe --collect -p User=$publisher -p WorkingDirectory="$home/releases/$1" -p ProtectSystem=strict \
    -p ReadWritePaths="$home/sites/$1" -p InaccessiblePaths="-/var/lib/ssdi-advocate -/var/backups/ssdi-advocate -/etc/ssdi-advocate.env" \
    -p PrivateNetwork=yes -p PrivateTmp=yes -p PrivateDevices=yes -p NoNewPrivileges=yes -p CapabilityBoundingSet= -p MemoryMax=600M \
    -E SETTINGS_FILE=$settings_for_pages -E REVIEWED_TEXTS=/run/ssdi-advocate/reviewed-texts.json "$home/releases/$1/deploy/publish.sh" once </dev/null
}

newest=$program
if [ "${1:-}" = back ]; then
  trap clean_up EXIT
  before=$(releases_that_worked | awk -v current="$current" '$0 < current' | tail -n 1)
  [ -n "$before" ] || fail "No release before $current has worked."
  if is_store_newer "$before" "$current"; then
    [ "${2:-}" = --restore ] || { say_what_back_takes "$before" "$current" && exit 1; }
    [ -f "${3:-}" ] || fail "There's no backup ${3:-}."
    systemctl stop "$service-desk" "$service"
    if ! exchange_store "$before" "$(realpath "$3")"; then
      systemctl start "$service"
      [ "$desk" != active ] || systemctl start "$service-desk"
      fail 'The store was not changed.'
    fi
  fi
  # Otherwise, visitors would see the words from when it was left, until it has published.
  [ ! -e "$home/releases/$before/publish" ] || publish "$before" || echo "$before can't publish today's folder (see above)." >&2
  switch_to "$before"
  is_ready || fail "$before is not ready. See: journalctl -u $service"
  # Later, `back` shouldn't return to a release that someone left.
  rm -f "$(worked "$current")"
  echo "$before is running."
  exit
fi

if [ -n "${file:-}" ]; then
  (cd "$(dirname "$file")" && grep -Fw "$(basename "$file")" SHA256SUMS | sha256sum --check --status) || fail "$file isn't what SHA256SUMS beside it says. Copy both again."
  case $(uname -m)-$file in x86_64-*-linux-x64.tar.gz | aarch64-*-linux-arm64.tar.gz) ;; *) fail "$file is for another kind of machine." ;; esac
  rm -rf "$home/unpacked"
  mkdir -p "$home/unpacked"
  tar -xz --no-same-owner -C "$home/unpacked" <"$file"
  # The release's own script knows what else it brings.
  exec "$home/unpacked/deploy/release.sh"
fi

edited_words() {
  "$program/node_modules/.bin/node" -e "import('$program/site-folder/from/left-behind.ts').then(({ leftBehind }) =>
    console.log(leftBehind('$home/current', []).filter(line => line.startsWith('content/')).join('\n')))" | grep .
}

trap clean_up EXIT
id "$publisher" >/dev/null 2>&1 || useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin "$publisher"
name=$(date -u +%Y%m%d-%H%M%S)-$(sed -n 's/^  "version": "\(.*\)",/\1/p' package.json)
release=$home/releases/$name
mkdir -p "$home/releases" "$home/sites"
if [ -e "$home/current/content/organization.ts" ] && [ -z "$(setting SITE_FOLDER)" ] && edited=$(edited_words); then
  echo "These words were edited, and this release doesn't have them:" >&2
  echo "$edited" | head -n 20 >&2
  fail 'Make a folder of them first, or visitors would see the original texts: docs/upgrade.md.'
fi
unfinished=yes
if [ "$program" = "$home/unpacked" ]; then
  mv "$program" "$release"
else
  mkdir "$release"
  tar -c . | tar -x --no-same-owner -C "$release"
fi
cd "$release"
program=$release newest=$release
# Node is nine tenths of a release. Releases with the same Node share the file.
node=node_modules/node/bin/node
! cmp -s "$node" "$home/current/$node" || ln -f "$home/current/$node" "$node"
# `live` is a link, too, which publishing switches.
ln -sfn "../../sites/$name/live" built
# nginx follows it only to what its owner has.
chown -h "$publisher:" built
# 3: a mistake in the folder, so it published the last good one. On a new machine, there is none, and the server shows no site until the
# folder is mended. Requests not to be called are taken: after a restore, they can be about earlier leads.
shows_site() { [ -e "$home/sites/$name/live" ]; }
publish "$name" || { [ $? = 3 ] && { shows_site || [ -z "$current" ]; }; } || fail "The site can't be published with this release (see above)."
# Before switching over, because a mistake in the settings would keep the running release from starting again, too.
now=$(ask) || fail "Fix $SETTINGS_FILE and release again."
# 0.7.0 doesn't have it.
[ "$now" != ready ] || [ -z "$current" ] || touch "$(worked "$current")"
if [ -n "$current" ] && [ "$(store_version "$current")" != "$(store_version "$name")" ]; then
  echo 'This release changes the store, so it is backed up first.'
  systemctl start "$service-backup" || fail "The backup failed: journalctl -u $service-backup"
fi
# The server creates a store only where this file is, so it can't start an empty one where a disk isn't mounted.
data=$(setting DATA_DIR)
[ -n "$current" ] || [ -z "$data" ] || runuser -u "$user" -- touch "$data/this-is-the-data-disk"

switch_to "$name"
if ! shows_site; then
  echo "$name is running, but shows no site. Mend the folder (see above); then, it's published by itself." >&2
  exit
fi
if ! is_ready; then
  echo "$name is not ready. See: journalctl -u $service" >&2
  if [ -n "$current" ] && is_store_newer "$current" "$name"; then
    say_what_back_takes "$current" "$name"
  elif [ -n "$current" ]; then
    switch_to "$current"
    is_ready && echo "Rolled back to $current." >&2 || echo "Rolled back to $current, but it isn't ready, either." >&2
  fi
  exit 1
fi
touch "$(worked "$name")"
echo "$name is running."
keep=$(releases_that_worked | tail -n 5; echo "$current")
for old in $(ls "$home/releases"); do
  echo "$keep" | grep -Fqx "$old" || rm -rf "$home/releases/${old:?}" "$home/sites/$old"
done
