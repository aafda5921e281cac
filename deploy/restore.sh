#!/bin/sh
# A lost machine: puts its settings, key, folder, and leads in place from the backups, then sets it up (setup.sh). In an unpacked release
# file, with the backup disk mounted:
#   sudo deploy/restore.sh /var/backups/ssdi-advocate --email you@example.org
# Everything after the folder goes to setup.sh, such as --site-from, if the organization's folder comes from git. If it's interrupted, run
# it again; once the site runs, setup.sh alone.
set -eu
umask 022
backups=${1:?Name the folder with the backups, such as /var/backups/ssdi-advocate}
shift
[ "$(id -u)" = 0 ] || { echo "Run this script with sudo." >&2; exit 1; }
! systemctl is-active --quiet ssdi-advocate || { echo "The site runs here. To replace its store: sudo systemctl stop ssdi-advocate ssdi-advocate-desk, then run this again." >&2; exit 1; }
source=$(cd -P "$(dirname "$0")/.." && pwd)
export SETTINGS_FILE=/etc/ssdi-advocate.env
node=$source/node_modules/.bin/node
"$node" --version >/dev/null 2>&1 || apt-get install -qy libatomic1 </dev/null

"$node" "$source/cli/main.ts" store restore "$backups" --settings $SETTINGS_FILE
setting() { "$node" "$source/cli/settings.ts" $SETTINGS_FILE get "$1"; }
id ssdi-advocate >/dev/null 2>&1 || useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin ssdi-advocate
[ -z "$(setting DATA_DIR)" ] || chown -R ssdi-advocate: "$(setting DATA_DIR)"
host() { setting "$1" | sed -E 's|^https?://||; s|[:/].*||'; }
desk=$(host DESK_URL)
exec "$source/deploy/setup.sh" --domain "$(host SITE_URL)" ${desk:+--desk "$desk"} "$@"
