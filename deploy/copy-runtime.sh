#!/bin/sh
# Copies what production runs from a built checkout, without tests, tools, and the pages' sources: deploy/copy-runtime.sh FOLDER
# Run `npm prune --omit=dev` first. release.sh and the Containerfile use it.
set -eu
cd "$(dirname "$0")/.."
# Node's package has its binary twice, as hard links, with 67 MB of headers. TypeScript stays as an optional peer of a dependency.
tar -c --exclude='*.test.ts' --exclude=desk/browser --exclude=node_modules/node/node_modules \
  --exclude=node_modules/typescript --exclude=node_modules/@typescript \
  package.json node_modules content domain server desk cli deploy built built-desk | tar -x --no-same-owner -C "$1"
