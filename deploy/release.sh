#!/bin/sh
# Puts a release next to the running one, publishes the site with it, then switches over:
#   deploy/release.sh FILE    installs a release file (npm run release makes it); SHA256SUMS is beside it
#   deploy/release.sh         in an unpacked release file, installs it; in a checkout, builds the current commit, without uncommitted changes
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
builder=${BUILD_USER:-ssdi-advocate-build}
service=ssdi-advocate
cd "$(dirname "$0")/.."
# Where a release's units and nginx files go.
units=$root/etc/systemd/system sites=$root/etc/nginx/sites-enabled

# The shell ignores errors in a function that's called in a condition or before && or ||, so those that write files aren't.
unfinished='' switched=no
clean_up() {
  rm -f "$units/.$service"*.new "$units/.$service"*.old "$sites/.$service"*.new "$sites/.$service"*.old
  [ -z "$unfinished" ] || rm -rf "$build" "$release" "$home/sites/$name"
  [ $switched = yes ] || echo 'Nothing was changed.' >&2
}
trap clean_up EXIT

# First everything that takes up space, so a full disk changes nothing; the renames can't fail for lack of it.
switch_to() {
  ln -sfn "releases/$1" "$home/current.new"
  prepare_files "$home/releases/$1/deploy"
  switched=yes unfinished=''
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

# Prints what the server says about its store: ready, opening, upgrading, or failed, and why. Fails if there's a mistake in the
# settings. The newest release asks, because the ones before 0.9.0 can't.
state() {
  asks=$(ls -d "$home"/releases/*/cli/check/ready.ts | tail -n 1)
  runuser -u "$user" -- env SETTINGS_FILE="$settings" "${asks%/cli/*}/node_modules/.bin/node" "$asks"
}

# Upgrading a large store takes minutes. An interrupted upgrade changes nothing but would never finish, so wait unless the server
# crashes, or says for half a minute that it failed. It may take longer until older servers on other machines are stopped.
is_ready() {
  failures=0 told=''
  for _ in $(seq 900); do
    now=$(state || true)
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

# The units and nginx files of a release are outside of it, so it would otherwise run with those of the version that was set up first.
# Writes those that have changed next to the installed ones, as .NAME.new, which systemd and nginx ignore.
prepare_files() {
  domains="s/www\.example\.org/$(host_in SITE_URL)/g; s/desk\.example\.org/$(host_in DESK_URL)/g"
  if [ -e "$units/$service.service" ]; then
    for file in "$1"/systemd/*; do
      prepare "$1" "systemd/$(basename "$file")" "$units" ''
    done
  fi
  [ ! -e "$sites/$service-limits.conf" ] || prepare "$1" "nginx/$service-limits.conf" "$sites" ''
  for site in "$service.conf" "$service-desk.conf" "$service-default.conf"; do
    # setup.sh replaces files of another domain.
    ! grep -Eqs "server_name ($(host_in SITE_URL)|$(host_in DESK_URL)|_);" "$sites/$site" || prepare "$1" "nginx/$site" "$sites" "$domains"
  done
}

# prepare DEPLOY NAME FOLDER SED. NAME is relative to DEPLOY, a release's deploy folder.
prepare() {
  [ -e "$1/$2" ] || return 0
  target=$3/$(basename "$2") hidden=$3/.$(basename "$2") new=$3/.$(basename "$2").new
  sed "$4" "$1/$2" >"$new"
  if cmp -s "$new" "$target"; then
    rm "$new"
  elif [ -e "$target" ] && ! was_shipped "$2" "$target"; then
    rm "$new"
    cat >&2 <<EDITED
$target was edited, so it wasn't replaced. This release has a different one. Compare them, and take over what's new:
  diff $target $home/current/deploy/$2
EDITED
  elif [ -e "$target" ]; then
    # A link takes up no space.
    ln -f "$target" "$hidden.old"
  fi
}

# was_shipped NAME FILE: whether the file is as some version had it, with other hostnames. Otherwise, someone has edited it.
was_shipped() {
  originals=''
  for name_in in DESK_URL=desk SITE_URL=www; do
    host=$(host_in "${name_in%=*}")
    [ -z "$host" ] || originals="$originals s/$host/${name_in#*=}.example.org/g;"
  done
  sum=$(sed "$originals" "$2" | sha256sum | cut -d ' ' -f 1)
  grep -Fqsx "$sum $1" "$home"/releases/*/deploy/shipped
}

# Puts the prepared files in place.
install_files() {
  replace_in "$units"
  [ $replaced = no ] || systemctl daemon-reload
  # New since 0.9.0.
  for new in copy.timer publish.service; do
    [ ! -e "$units/$service-$new" ] || systemctl enable --now "$service-$new"
  done
  replace_in "$sites"
  [ $replaced = yes ] || return 0
  if nginx -t; then
    systemctl reload nginx
  else
    for old in "$sites/.$service"*.old; do
      mv "$old" "$sites/$(visible "$old")"
    done
    echo "nginx doesn't accept these files (see above), so the previous ones were put back." >&2
  fi
}

replace_in() {
  replaced=no
  for new in "$1/.$service"*.new; do
    [ -e "$new" ] || continue
    mv "$new" "$1/$(visible "$new")"
    replaced=yes
    echo "Installed $1/$(visible "$new")."
  done
}

# NAME for FOLDER/.NAME.new
visible() { basename "${1%.*}" | cut -c 2-; }

host_in() { sed -nE "s|^[[:space:]]*(export[[:space:]]+)?$1[[:space:]]*=[[:space:]]*['\"]?https?://([A-Za-z0-9.-]+).*|\2|p" "$settings" | tail -n 1; }

current=$(basename "$(readlink "$home/current" || true)")
# Releases that were ready once have this file.
worked() { echo "$home/releases/$1/.worked"; }
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

if [ -n "${1:-}" ]; then
  file=$(basename "$1")
  (cd "$(dirname "$1")" && grep -Fw "$file" SHA256SUMS | sha256sum --check --status) || { echo "$1 isn't what SHA256SUMS beside it says." >&2; exit 1; }
  case $(uname -m)-$file in x86_64-*-linux-x64.tar.gz | aarch64-*-linux-arm64.tar.gz) ;; *) echo "$file is for another kind of machine." >&2; exit 1 ;; esac
  rm -rf "$home/unpacked"
  mkdir -p "$home/unpacked"
  tar -xz --no-same-owner -C "$home/unpacked" <"$1"
  # Its own script knows what else it brings.
  exec "$home/unpacked/deploy/release.sh"
fi

# The build runs other people's code, and publishing opens other people's pictures, so they get a user without access to the leads or the
# secrets. What the build writes is data to us: we run none of it, and install nothing from it. Its folders are in one that it can't change,
# so it can't put a link in our way.
cache=$root/var/cache/$builder
id "$builder" >/dev/null 2>&1 || useradd --system --home-dir "$cache/home" --shell /usr/sbin/nologin "$builder"
# Up to 0.7.0, this folder belonged to the builder.
[ "$(stat -c %u "$cache" 2>/dev/null)" = "$(id -u)" ] || rm -rf "$cache"
install -d -m 755 "$cache"
install -d -o "$builder" -m 700 "$cache/home"
install -d -o "$builder" -m 755 "$home/sites"
# as_builder FOLDER COMMAND…
as_builder() { (cd "$1" && shift && runuser -u "$builder" -- env HOME="$cache/home" SETTINGS_FILE="$cache/settings.env" "$@"); }

# Only a checkout has git's history.
[ -e .git ] && version=$(git rev-parse --short HEAD) || version=$(sed -n 's/^  "version": "\(.*\)",/\1/p' package.json)
name=$(date -u +%Y%m%d-%H%M%S)-$version
release=$home/releases/$name
build=$cache/$name
unfinished=yes
mkdir "$build"
mkdir -p "$release/.made"
if [ -e .git ]; then
  git archive HEAD | tar -x -C "$build"
  (cd "$build" && sh deploy/runtime.sh code) | tar -x --no-same-owner -C "$release"
  sh deploy/runtime.sh shipped >"$release/deploy/shipped"
  chown -R "$builder:" "$build"
  as_builder "$build" npm ci --no-fund --no-audit
  as_builder "$build" npm run compile
  as_builder "$build" npm prune --omit=dev --ignore-scripts --no-fund --no-audit
  as_builder "$build" sh -s made <deploy/runtime.sh | tar -x --no-same-owner --no-same-permissions -C "$release/.made"
  for folder in node_modules compiled built-desk; do
    mv "$release/.made/$folder" "$release/"
  done
else
  tar -c . | tar -x --no-same-owner --no-same-permissions -C "$release"
  cd "$release"
  rm -rf "$home/unpacked"
fi
rm -rf "$release/.made" "$build"
odd=$(find "$release" \( -type f -o -type d -o -type l \) ! -perm /6000 -o -print)
[ -z "$odd" ] || { echo "The build made files that no release has: $odd" >&2; exit 1; }
# Node is nine tenths of a release. Releases with the same Node share the file.
node=node_modules/node/bin/node
if [ "$(realpath "$release/$node")" = "$(realpath "$release")/$node" ] && cmp -s "$release/$node" "$home/current/$node"; then
  ln -f "$home/current/$node" "$release/$node"
fi
# `live` is a link, too, which publishing switches.
ln -s "../../sites/$name/live" "$release/built"
install -d -o "$builder" -m 755 "$home/sites/$name"
sh "$release/deploy/publish.sh" settings <"$settings" >"$cache/settings.env"
as_builder "$release" deploy/publish.sh once || { echo "The site can't be published with this release (see above)." >&2; exit 1; }
# Before switching over, because a mistake in the settings would keep the running release from starting again, too.
now=$(state) || { echo "Fix $settings and release again." >&2; exit 1; }
# Releases by versions before 0.9.0 don't have it.
[ "$now" != ready ] || [ -z "$current" ] || touch "$(worked "$current")"
# The server creates a store only where this file is, so it can't start an empty one where a disk isn't mounted.
data=$root$(sed -nE "s|^[[:space:]]*(export[[:space:]]+)?DATA_DIR[[:space:]]*=[[:space:]]*['\"]?([^'\"]*[^'\"[:space:]]).*|\2|p" "$settings" | tail -n 1)
[ -n "$current" ] || [ "$data" = "$root" ] || runuser -u "$user" -- touch "$data/this-is-the-data-disk"

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
  echo "$keep" | grep -Fqx "$old" || rm -rf "$home/releases/${old:?}" "$home/sites/$old"
done
