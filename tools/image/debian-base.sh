#!/usr/bin/env bash
# Makes an image of the same name as the Dockerfile's base, from Debian's packages and this machine's Node.js, for
# machines that reach no registry of images. Run as root: debian-base.sh IMAGE
set -euo pipefail
image=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$folder/root
debootstrap --variant=minbase --include=libstdc++6 bookworm "$root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
install -m 755 "$(readlink -f "$(command -v node)")" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules" "$root/usr/local/etc" "$root/etc/ssl/certs"
cp -a "$(npm root -g)/npm" "$root/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
# npm reaches the registry as this machine does, also where a proxy has a certificate of its own.
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
echo 'cafile=/etc/ssl/certs/ca-certificates.crt' >"$root/usr/local/etc/npmrc"
chroot "$root" sh -c 'groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node &&
  apt-get clean && rm -rf /var/lib/apt/lists/* && node --version'
container=$(buildah from scratch)
buildah copy --quiet "$container" "$root" / >/dev/null
buildah config --cmd node \
  --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
buildah commit --quiet --rm "$container" "$image"
