#!/bin/sh
# Builds a release from this checkout next to the running one, then switches over:
#   deploy/release.sh         releases the current commit; uncommitted changes are left out
#   deploy/release.sh back    goes back to the last release that worked
# A release that crashes, or isn't ready within 15 minutes, is rolled back. The last five that worked are kept.
# Also installs changed systemd units and nginx files, unless someone has edited them: then it says what to compare.
set -eu
umask 022

# For packaging and tests: a folder to use instead of /.
root=${DESTDIR:-}
home=${RELEASE_HOME:-$root/srv/ssdi-advocate}
settings=${SETTINGS_FILE:-$root/etc/ssdi-advocate.env}
user=${RELEASE_USER:-ssdi-advocate}
builder=ssdi-advocate-build
service=ssdi-advocate
cd "$(dirname "$0")/.."

# Renames atomically, so there's always a current release.
switch_to() {
  ln -sfn "releases/$1" "$home/current.new"
  mv -T "$home/current.new" "$home/current"
  install_files
  # A server doesn't upgrade a PostgreSQL store while a desk of the previous version is connected.
  desk=$(systemctl is-active "$service-desk" || true)
  [ "$desk" != active ] || systemctl stop "$service-desk"
  systemctl restart "$service"
  # Also resets the count of restarts, which may be left from the previous release's crashes.
  systemctl reset-failed "$service"
  [ "$desk" != active ] || systemctl start "$service-desk"
}

# Run as the service's user, because the service might not be able to read files that root creates in the store's folder.
doctor_of() { runuser -u "$user" -- env SETTINGS_FILE="$settings" "$1/node_modules/.bin/node" "$1/cli/main.ts" doctor 2>/dev/null || true; }

is_ready_now() { doctor_of "$home/current" | grep -q 'and is ready'; }

# Upgrading a large store takes minutes. An interrupted upgrade changes nothing but would never finish, so wait unless the server
# crashes, or can't open the store for half a minute. It may take longer until older servers on other machines are stopped.
is_ready() {
  started=$(date +%s) failures=0 told=''
  for _ in $(seq 900); do
    is_ready_now && return 0
    [ "$(systemctl show --property NRestarts --value "$service")" = 0 ] || return 1
    failure=$(journalctl -u "$service" --since "@$started" -o cat 2>/dev/null | grep '"code":"store_unopened"' | tail -n 1 || true)
    if [ -n "$failure" ]; then
      [ -n "$told" ] || echo "Not ready yet: $failure" >&2
      told=yes
      case $failure in *'of an older version are connected'*) ;; *) failures=$((failures + 1)) ;; esac
      [ $failures -lt 20 ] || return 1
    fi
    sleep 1
  done
  return 1
}

# The units and nginx files of the current release. They're outside of it, so it would otherwise run with those of the version that
# was set up first.
install_files() {
  units=$root/etc/systemd/system changed=no
  for file in "$home"/current/deploy/systemd/*; do
    [ -e "$units/$service.service" ] || break
    install_file "systemd/$(basename "$file")" "$units/$(basename "$file")" '' && changed=yes
  done
  [ $changed = no ] || systemctl daemon-reload

  sites=$root/etc/nginx/sites-enabled changed=no
  domains="s/www\.example\.org/$(host_in SITE_URL)/g; s/desk\.example\.org/$(host_in DESK_URL)/g"
  saved=$(mktemp -d)
  for site in "$service.conf" "$service-desk.conf" "$service-default.conf"; do
    [ -e "$sites/$site" ] || continue
    # setup.sh replaces files of another domain.
    grep -Eq "server_name ($(host_in SITE_URL)|$(host_in DESK_URL)|_);" "$sites/$site" || continue
    cp -p "$sites/$site" "$saved"
    install_file "nginx/$site" "$sites/$site" "$domains" && changed=yes
  done
  if [ $changed = yes ]; then
    if nginx -t; then
      systemctl reload nginx
    else
      cp -p "$saved"/* "$sites/"
      echo "nginx doesn't accept these files (see above), so the previous ones were put back." >&2
    fi
  fi
  rm -r "$saved"
}

# install_file NAME TARGET SED: true if it changed the target. NAME is relative to deploy/.
install_file() {
  shipped=$home/current/deploy/$1
  [ -e "$shipped" ] || return 1
  sed "$3" "$shipped" | cmp -s - "$2" && return 1
  if [ ! -e "$2" ] || was_shipped "$@"; then
    sed "$3" "$shipped" >"$2.new"
    mv "$2.new" "$2"
    echo "Installed $2."
    return 0
  fi
  cat >&2 <<EDITED
$2 was edited, so it wasn't replaced. This release has a different one. Compare them, and take over what's new:
  diff $2 $shipped
EDITED
  return 1
}

# Whether the target is as some commit had it. Otherwise, someone has edited it.
was_shipped() {
  for commit in $(git log --format=%h HEAD -- "deploy/$1"); do
    git show "$commit:deploy/$1" 2>/dev/null | sed "$3" | cmp -s - "$2" && return 0
  done
  return 1
}

host_in() { sed -nE "s|^[[:space:]]*(export[[:space:]]+)?$1[[:space:]]*=[[:space:]]*['\"]?https?://([A-Za-z0-9.-]+).*|\2|p" "$settings" | tail -n 1; }

current=$(basename "$(readlink "$home/current" || true)")
# Releases that were ready once have this file.
worked() { echo "$home/releases/$1/.worked"; }
# Older versions of this script didn't write it.
[ -z "$current" ] || ! is_ready_now || touch "$(worked "$current")"
releases_that_worked() { ls -d "$home"/releases/*/.worked 2>/dev/null | xargs -rn 1 dirname | xargs -rn 1 basename; }

if [ "${1:-}" = back ]; then
  before=$(releases_that_worked | awk -v current="$current" '$0 < current' | tail -n 1)
  [ -n "$before" ] || { echo "No release before $current has worked." >&2; exit 1; }
  # Later, `back` shouldn't return to a release that someone left.
  rm -f "$(worked "$current")"
  switch_to "$before"
  is_ready || {
    echo "$before is not ready. See: journalctl -u $service" >&2
    echo "If $current has upgraded the store, restore the backup from before: docs/upgrade.md." >&2
    exit 1
  }
  echo "$before is running."
  exit
fi

# The build runs other people's code, so it gets a user without access to the leads or the secrets.
cache=$root/var/cache/$builder
id "$builder" >/dev/null 2>&1 || useradd --system --home-dir "$cache" --shell /usr/sbin/nologin "$builder"
install -d -o "$builder" -g "$builder" -m 700 "$cache"
as_builder() { (cd "$build" && runuser -u "$builder" -- env HOME="$cache" SETTINGS_FILE="$build/.env" "$@"); }

name=$(date -u +%Y%m%d-%H%M%S)-$(git rev-parse --short HEAD)
release=$home/releases/$name
build=$cache/$name
trap 'rm -rf "$build" "$release"' EXIT
mkdir -p "$build" "$release"
git archive HEAD | tar -x -C "$build"
grep -E '^[[:space:]]*(export[[:space:]]+)?(SITE_URL|HSTS_SUBDOMAINS|SITE_LEAD_ENDPOINT|TRUSTEDFORM)[[:space:]]*=' "$settings" >"$build/.env" || true
chown -R "$builder:" "$build"
as_builder npm ci --no-fund --no-audit
as_builder npm run build
as_builder npm prune --omit=dev --ignore-scripts --no-fund --no-audit
"$build/deploy/copy-runtime.sh" "$release"
rm -rf "$build"
# Node is nine tenths of a release. Releases with the same Node share the file.
node=node_modules/node/bin/node
! cmp -s "$release/$node" "$home/current/$node" || ln -f "$home/current/$node" "$release/$node"
# Before switching over, because a mistake in the settings would keep the running release from starting again, too.
if doctor_of "$release" | grep '^error *Settings'; then
  echo "Nothing was changed. Fix $settings and release again." >&2
  exit 1
fi
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
      echo "problem and release again, or restore the backup from before: docs/upgrade.md." >&2
    fi
  fi
  exit 1
fi
touch "$(worked "$name")"
echo "$name is running."
keep=$(releases_that_worked | tail -n 5; echo "$current")
for old in $(ls "$home/releases"); do
  echo "$keep" | grep -Fqx "$old" || rm -rf "$home/releases/${old:?}"
done
