#!/bin/sh
# `npm run release [-- x64 arm64]`: makes a release file of the current commit for each kind of machine, with SHA256SUMS, in releases/. It
# holds Node and everything else, so a server builds nothing: deploy/release.sh FILE. Uncommitted changes are left out.
set -eu
umask 022
export LC_ALL=C
cd "$(dirname "$0")/.."
project=$PWD
[ "$(git rev-parse --is-shallow-repository)" = false ] || { echo 'A release file needs the whole history: git fetch --unshallow' >&2; exit 1; }
time=$(git log -1 --format=%ct)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/build" "$work/code"
git archive HEAD | tar -x -C "$work/build"
cd "$work/build"
npm ci --no-fund --no-audit
npm run compile
value_of() { node -p "let value = require('./package.json'); for (const name of '$1'.split('.')) value = value[name]; value"; }
name=ssdi-advocate-$(value_of version)-linux
node=$(value_of dependencies.node)
# Without tests and the sources of what is compiled.
tar -c --exclude='*.test.*' --exclude=desk/browser --exclude=site/browser --exclude=site/static \
  package.json .env.example README.md CHANGELOG.md docs/*.md content domain launch publish server site site-folder desk cli deploy compiled built-desk |
  tar -x -C "$work/code"
# The units and nginx files of all versions, so that release.sh knows whether someone has edited one.
(
  cd "$project"
  git ls-files deploy/systemd deploy/nginx | while read -r file; do
    for commit in $(git log --format=%h HEAD -- "$file"); do
      # A commit may have removed it.
      ! git cat-file -e "$commit:$file" 2>/dev/null || echo "$(git show "$commit:$file" | sha256sum | cut -d ' ' -f 1) ${file#deploy/}"
    done
  done
) >"$work/code/deploy/shipped"

mkdir -p "$project/releases"
for cpu in ${*:-x64 arm64}; do
  release=$work/$cpu
  cp -r "$work/code" "$release"
  cp package-lock.json .npmrc "$release"
  cd "$release"
  # Without scripts: the package's own would install the Node of this machine.
  npm ci --omit=dev --ignore-scripts --no-fund --no-audit --os=linux --cpu="$cpu" --libc=glibc
  for native in "@img/sharp-linux-$cpu" "lightningcss-linux-$cpu-gnu"; do
    [ -d "node_modules/$native" ] || { echo "npm left out $native. Its Node may be too old: see README.md." >&2; exit 1; }
  done
  mkdir -p node_modules/node/bin
  tar -xzOf "$(npm pack --silent "node-linux-$cpu@$node")" package/bin/node >node_modules/node/bin/node
  chmod 755 node_modules/node/bin/node
  ln -sfn ../node/bin/node node_modules/.bin/node
  rm -rf node-linux-*.tgz node_modules/typescript node_modules/@typescript package-lock.json .npmrc
  # The same commit makes the same file.
  tar -c --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner . | gzip -n >"$project/releases/$name-$cpu.tar.gz"
  cd "$work/build"
done
cd "$project/releases"
sha256sum "$name"-*.tar.gz >SHA256SUMS
cat SHA256SUMS
