#!/bin/sh
# What a release consists of. release.sh, pack.sh, and the Containerfile use it. Written to standard output:
#   deploy/runtime.sh code       the code in this folder, without tests and the pages' sources, as a tar
#   deploy/runtime.sh made       what `npm run compile` and `npm prune --omit=dev` left, as a tar
#   deploy/runtime.sh shipped    hashes of the units and nginx files of all versions in git, by name
set -eu
case $1 in
  code)
    tar -c --exclude='*.test.ts' --exclude=desk/browser --exclude=site/browser --exclude=site/static \
      package.json content domain launch publish server site site-folder desk cli deploy
    ;;
  # Node's package has its binary twice, as hard links, with 67 MB of headers. TypeScript stays as an optional peer of a dependency.
  made)
    tar -c --exclude=node_modules/node/node_modules --exclude=node_modules/typescript --exclude=node_modules/@typescript \
      node_modules compiled built-desk
    ;;
  shipped)
    git ls-files deploy/systemd deploy/nginx | while read -r file; do
      for commit in $(git log --format=%h HEAD -- "$file"); do
        # A commit may have removed it.
        ! git cat-file -e "$commit:$file" 2>/dev/null || echo "$(git show "$commit:$file" | sha256sum | cut -d ' ' -f 1) ${file#deploy/}"
      done
    done
    ;;
esac
