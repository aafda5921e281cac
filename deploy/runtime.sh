#!/bin/sh
# Writes what production runs to standard output, as a tar: `deploy/runtime.sh code` the code in this folder, without tests and the
# pages' sources; `deploy/runtime.sh built` what `npm run build` and `npm prune --omit=dev` left. release.sh and the Containerfile use it.
set -eu
case $1 in
  code) tar -c --exclude='*.test.ts' --exclude=desk/browser package.json content domain server desk cli deploy ;;
  # Node's package has its binary twice, as hard links, with 67 MB of headers. TypeScript stays as an optional peer of a dependency.
  built)
    tar -c --exclude=node_modules/node/node_modules --exclude=node_modules/typescript --exclude=node_modules/@typescript \
      node_modules built built-desk
    ;;
esac
