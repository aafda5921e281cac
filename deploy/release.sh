#!/bin/sh
# Builds a release from this checkout next to the running one, then switches over:
#   deploy/release.sh         releases the current commit; uncommitted changes are left out
#   deploy/release.sh back    rolls back to the previous release
# A release that crashes, or isn't ready within 15 minutes, is rolled back. The last five are kept.
set -eu
umask 022

home=${RELEASE_HOME:-/srv/ssdi-advocate}
settings=${SETTINGS_FILE:-/etc/ssdi-advocate.env}
user=${RELEASE_USER:-ssdi-advocate}
service=ssdi-advocate

# Renames atomically, so there's always a current release.
switch_to() {
  ln -sfn "releases/$1" "$home/current.new"
  mv -T "$home/current.new" "$home/current"
  systemctl restart "$service"
  # Also resets the count of restarts, which may be left from the previous release's crashes.
  systemctl reset-failed "$service"
  # No-op if the desk isn't running.
  systemctl try-restart "$service-desk" || true
}

# Upgrading a large store takes minutes. An interrupted upgrade changes nothing but would never finish, so wait unless it crashes.
is_ready() {
  for _ in $(seq 900); do
    # Run as the service's user, because the service might not be able to read files that root creates in the store's folder.
    if runuser -u "$user" -- env SETTINGS_FILE="$settings" \
      "$home/current/node_modules/.bin/node" "$home/current/cli/main.ts" doctor | grep -q 'and is ready'; then
      return 0
    fi
    [ "$(systemctl show --property NRestarts --value "$service")" = 0 ] || return 1
    sleep 1
  done
  return 1
}

current=$(basename "$(readlink "$home/current" || true)")

if [ "${1:-}" = back ]; then
  before=$(ls "$home/releases" | grep -B1 -Fx "$current" | head -n 1)
  [ "$before" != "$current" ] || { echo "There is no release before $current." >&2; exit 1; }
  switch_to "$before"
  is_ready || { echo "$before is not ready. See: journalctl -u $service" >&2; exit 1; }
  echo "$before is running."
  exit
fi

cd "$(dirname "$0")/.."
name=$(date -u +%Y%m%d-%H%M%S)-$(git rev-parse --short HEAD)
release=$home/releases/$name
mkdir -p "$release"
trap 'rm -rf "$release"' EXIT
git archive HEAD | tar -x -C "$release"
(
  cd "$release"
  npm ci --no-fund --no-audit
  SETTINGS_FILE=$settings npm run build
)
trap - EXIT

switch_to "$name"
if ! is_ready; then
  echo "$name is not ready. See: journalctl -u $service" >&2
  if [ -n "$current" ]; then
    switch_to "$current"
    if is_ready; then
      echo "Rolled back to $current." >&2
    else
      echo "Rolled back to $current, but it isn't ready, either. If $name has upgraded the store (see its log), fix the" >&2
      echo "problem and release again, or restore the backup from before: docs/operations.md, Upgrade and rollback." >&2
    fi
  fi
  exit 1
fi
echo "$name is running."
ls -d "$home"/releases/* | grep -vFx "$home/releases/$current" | head -n -5 | xargs -r rm -rf
