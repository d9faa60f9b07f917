# What is kept in the folder of a run's checkpoints: printed once, with sizes and times, and the room on its disk.
#
#   sh -c SCRIPT checkpoints folder FOLDER
#   sh -c SCRIPT checkpoints beside PATH
#
# PATH is a log, or the folder of one: then its own folder is listed, the folders in it that are named like one for
# checkpoints, and those next to it where it is named like one for logs.
#
#   clock SECONDS             since the epoch
#   folder PATH               what follows is of it; none of these where PATH is no folder that can be read
#   SIZE TIME MODE NAME       a file, or a folder that may be a checkpoint, and then what is in that, two levels deep
#   disk LINE                 what df says of it, in blocks of 1024 bytes
#
# Names that can be no checkpoint's are left out, and of very many the rest. A folder whose name only ends in a digit may
# be one among checkpoints; elsewhere it is rather data, and not looked into. It needs sh, stat, xargs, df, tail, date
# and printf, and writes nothing.
LC_ALL=C
export LC_ALL
how=$1 path=$2
case $path in
'~') path=$HOME ;;
'~/'*) path=$HOME/${path#??} ;;
-*) path=./$path ;;
esac

# The names in this folder that may be checkpoints, with a NUL after each.
names() {
	left=3000
	for entry in *; do
		case $entry in
		*.pt | *.pth | *.ckpt | *.safetensors | *.bin | *.pkl | *.np[yz] | *.h5 | *.hdf5 | *.keras | *.msgpack) ;;
		*.tar | *.orbax | *.pd* | *.params | *.t7 | *.gguf | *.index | *.data* | *.distcp | *.zip | *.gz) ;;
		*heckpoint*[0-9] | *ckpt*[0-9] | *step*[0-9] | *epoch*[0-9] | *iter*[0-9]) [ -d "$entry" ] || continue ;;
		*[0-9] | *.orbax-checkpoint*) [ "$is_own" ] && [ -d "$entry" ] || continue ;;
		*) continue ;;
		esac
		case $entry in
		*[0-9]*) ;;
		*) [ ! -L "$entry" ] || continue ;;
		esac
		left=$((left - 1))
		[ "$left" -gt 0 ] || return
		printf '%s\0' "$entry"
		[ -d "$entry" ] || continue
		for inner in "$entry"/* "$entry"/*/*; do
			[ -f "$inner" ] || continue
			left=$((left - 1))
			[ "$left" -gt 0 ] || return
			printf '%s\0' "$inner"
		done
	done
}

list() {
	[ -d "$1" ] && [ -r "$1" ] && [ -x "$1" ] || return
	printf 'folder %s\n' "$1"
	is_own=
	case ${1##*/} in
	checkpoint | checkpoints | Checkpoints | ckpt | ckpts | weights | snapshots | saved_models) is_own=1 ;;
	*) [ "$how" != folder ] || is_own=1 ;;
	esac
	(CDPATH= cd "$1" && names | xargs -0 stat -L -c '%s %Y %f %n' -- 2>/dev/null)
	printf 'disk %s\n' "$(df -Pk "$1" 2>/dev/null | tail -n 1)"
}

echo "clock $(date +%s)"
if [ "$how" = folder ]; then
	list "$path"
	exit 0
fi
if [ -d "$path" ]; then
	folder=${path%/}
else
	case $path in
	*/*) folder=${path%/*} ;;
	*) folder=. ;;
	esac
fi
list "${folder:-/}"
set -- "$folder"
case ${folder##*/} in
log | logs | tb | tensorboard | tb_logs) set -- "$folder" "${folder%/*}" ;;
esac
for near do
	for name in checkpoint checkpoints Checkpoints ckpt ckpts weights snapshots saved_models; do
		[ ! -d "$near/$name" ] || list "$near/$name"
	done
done
exit 0
