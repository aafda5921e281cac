#!/bin/sh
# Makes a release out of this checkout, builds it beside the running one, then switches over:
#   deploy/release.sh         release what is checked out here (committed changes only)
#   deploy/release.sh back    go back to the release before the current one
# A release that is not ready within 30 seconds is taken back by itself. The last five are kept.
set -eu
umask 022

home=${RELEASE_HOME:-/srv/ssdi-advocate}
settings=${SETTINGS_FILE:-/etc/ssdi-advocate.env}
user=${RELEASE_USER:-ssdi-advocate}
service=ssdi-advocate

# One rename, so that there is a current release at every moment.
switch_to() {
  ln -sfn "releases/$1" "$home/current.new"
  mv -T "$home/current.new" "$home/current"
  systemctl restart "$service"
  # Where the desk is not used, there is nothing to restart.
  systemctl try-restart "$service-desk" || true
}

is_ready() {
  for _ in $(seq 30); do
    # As the service's own user: what root writes into the store's folder, the service might not get at.
    if runuser -u "$user" -- env SETTINGS_FILE="$settings" \
      "$home/current/node_modules/.bin/node" "$home/current/cli/main.ts" doctor | grep -q 'and is ready'; then
      return 0
    fi
    sleep 1
  done
  return 1
}

current=$(basename "$(readlink "$home/current" || true)")

if [ "${1:-}" = back ]; then
  before=$(ls "$home/releases" | grep -B1 -Fx "$current" | head -n 1)
  [ "$before" != "$current" ] || { echo "There is no release before $current." >&2; exit 1; }
  switch_to "$before"
  is_ready || { echo "$before is not ready. Look at: journalctl -u $service" >&2; exit 1; }
  echo "$before runs."
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
  node_modules/.bin/node desk/build/if-stale.ts
)
trap - EXIT

switch_to "$name"
if ! is_ready; then
  echo "$name is not ready. Look at: journalctl -u $service" >&2
  if [ -n "$current" ]; then
    switch_to "$current"
    echo "$current runs again." >&2
  fi
  exit 1
fi
echo "$name runs."
ls -d "$home"/releases/* | grep -vFx "$home/releases/$current" | head -n -5 | xargs -r rm -rf
