#!/bin/sh
# `npm run release [-- x64 arm64]`: makes a release file of the current commit for each kind of machine, with SHA256SUMS, in releases/. A
# server installs it without git, npm, or access to the project: deploy/release.sh FILE. Uncommitted changes are left out.
set -eu
umask 022
cd "$(dirname "$0")/.."
project=$PWD
value_of() { sed -n "s/^ *\"$1\": \"\(.*\)\",\{0,1\}$/\1/p" package.json; }
name=ssdi-advocate-$(value_of version)-linux
node=$(value_of node)
time=$(git log -1 --format=%ct)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/build" "$work/code"
git archive HEAD | tar -x -C "$work/build"
cd "$work/build"
npm ci --no-fund --no-audit
npm run compile
sh deploy/runtime.sh code | tar -x -C "$work/code"
cp -r compiled built-desk "$work/code"
(cd "$project" && sh deploy/runtime.sh shipped) >"$work/code/deploy/shipped"

mkdir -p "$project/releases"
for cpu in ${*:-x64 arm64}; do
  release=$work/$cpu
  cp -r "$work/code" "$release"
  cp package-lock.json .npmrc "$release"
  cd "$release"
  # Without scripts: the package's own would install the Node of this machine.
  npm ci --omit=dev --ignore-scripts --no-fund --no-audit --os=linux --cpu="$cpu" --libc=glibc
  mkdir -p node_modules/node/bin
  tar -xzOf "$(npm pack --silent "node-linux-$cpu@$node")" package/bin/node >node_modules/node/bin/node
  chmod 755 node_modules/node/bin/node
  ln -sfn ../node/bin/node node_modules/.bin/node
  rm -rf node-linux-*.tgz node_modules/typescript node_modules/@typescript package-lock.json .npmrc
  # The same commit makes the same file.
  tar -c --sort=name --mtime="@$time" --owner=0 --group=0 . | gzip -n >"$project/releases/$name-$cpu.tar.gz"
  cd "$work/build"
done
cd "$project/releases"
sha256sum "$name"-*.tar.gz >SHA256SUMS
cat SHA256SUMS
