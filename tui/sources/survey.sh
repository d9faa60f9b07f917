# What a place holds: the containers that its commands list, and the ends of the files that are named like logs.
#
#   sh -c SCRIPT milepost NONCE SECONDS DAYS FOLDER [KIND COMMAND]...
#
# It reads and ends by itself, after SECONDS at most, at the lowest priority. Files are looked for in FOLDER; where that
# is empty, in the usual places. Each part of the answer begins with a line of its own:
#
#   @NONCE@ clock NOW             the time here, in seconds since the epoch
#   @NONCE@ list KIND             what COMMAND printed
#   @NONCE@ said STATUS           its exit status, and what it said on standard error
#   @NONCE@ nothing               there is no such folder, nor any of the usual ones
#   @NONCE@ file TIME SIZE ID PATH  when it was written, and its first bytes
#   @NONCE@ tail                  its last bytes; the bytes behind the first ones where those are all
#   @NONCE@ count FILES           how many files are named like logs and were written lately
#   @NONCE@ late                  the time was up before everything was looked at
#   @NONCE@ end
#
# It needs sh, find, stat, sort, head, tail and date; of GNU, BusyBox or toybox.
LC_ALL=C
export LC_ALL
mark="@$1@" end=$(($(date +%s) + $2)) days=$3 folder=$4
shift 4

list_s=3 find_s=4
depth=6 most_found=2000 most_read=24 most_processes=80
list_bytes=131072 said_bytes=1000 head_bytes=8192 tail_bytes=24576

renice -n 19 -p $$ >/dev/null 2>&1

answer() {
	printf '\n%s\n' "$mark $*"
}

has_time() {
	[ "$(date +%s)" -lt "$end" ]
}

# BSD's stat has a word of its own for a format.
stat_option=-c stat_format='%Y %s %d:%i %n'
stat -c %Y / >/dev/null 2>&1 || stat_option=-f stat_format='%m %z %d:%i %N'

# Runs a command for so many seconds at most, and not beyond the end of all. BusyBox's timeout would leave a process
# behind that holds the output open for up to a second.
within() {
	left=$((end - $(date +%s)))
	[ "$left" -lt "$1" ] || left=$1
	shift
	[ "$left" -gt 0 ] || return 137
	"$@" &
	job=$!
	{
		while [ "$left" -gt 0 ]; do
			sleep 1
			left=$((left - 1))
		done
		kill -9 "$job"
	} </dev/null >/dev/null 2>&1 3>&- 4>&- &
	guard=$!
	wait "$job"
	status=$?
	kill -9 "$guard"
	return "$status"
}

list() {
	answer list "$1"
	said=$( {
		{
			within "$list_s" eval "exec $2" 2>&4
			echo " $?" >&4
		} | head -c "$list_bytes" >&3
	} 4>&1 | tail -c "$said_bytes")
	answer said "${said##* }"
	printf '%s' "${said% *}"
} 3>&1 </dev/null

# The working folders of the Python processes here. Those of a container's, seen from its host, are somewhere else.
working_folders() {
	ours=$(readlink /proc/$$/ns/mnt) cwd=/
	ls -l $(find_processes) 2>/dev/null | while IFS= read -r line; do
		case $line in
		*"/ns/mnt -> $ours") [ "$cwd" = / ] || printf '%s\n' "$cwd" ;;
		*/cwd\ -\>\ *) cwd=${line#*/cwd -> } ;;
		esac
	done | sort -u
}

find_processes() {
	set +f
	ls -l /proc/[0-9]*/exe 2>/dev/null | while IFS= read -r line; do
		process=${line#*/proc/}
		case ${line##* -> } in
		*/python* | */pypy*) printf '%s\n' "/proc/${process%%/*}/cwd" "/proc/${process%%/*}/ns/mnt" ;;
		esac
	done | head -n "$most_processes"
}

# The stats of what is named like a log, and like no archive, picture or source, the one that was written last first.
# Each is printed at once: what find itself had printed would be lost when its time is up.
seek() {
	{
		within "$find_s" find -H "$@" -mindepth 1 -maxdepth "$depth" -xdev -type d \( \
			-name '.?*' -o -name node_modules -o -name '*-packages' -o -name __pycache__ \) -prune -o \
			-type f -size +0 -mtime "-$days" ! -name '.*' \( \
			-iname '*log*' -o -iname '*train*' -o -iname '*metric*' -o -iname '*history*' -o -iname '*loss*' \
			-o -iname '*progress*' -o -iname '*results*' -o -iname '*tfevents*' -o -iname '*state*.json' \
			-o -iname '*.jsonl' -o -iname '*.ndjson' -o -iname '*.csv' -o -iname '*.tsv' -o -iname '*.out' \
			-o -iname '*.err' -o -iname '*.txt' -o -iname '*.wandb' \) \
			! -iname '*.gz' ! -iname '*.xz' ! -iname '*.zst' ! -iname '*.bz2' ! -iname '*.zip' ! -iname '*.tar' \
			! -iname '*.pt' ! -iname '*.pth' ! -iname '*.ckpt' ! -iname '*.bin' ! -iname '*.safetensors' \
			! -iname '*.np[yz]' ! -iname '*.pkl' ! -iname '*.parquet' ! -iname '*.arrow' ! -iname '*.lock' \
			! -iname '*.png' ! -iname '*.jpg' ! -iname '*.svg' ! -iname '*.pdf' ! -iname '*.html' \
			! -iname '*.py' ! -iname '*.pyc' ! -iname '*.sh' ! -iname '*.y*ml' ! -iname '*.toml' \
			! -iname '*.md' ! -iname '*.so' ! -iname '*.[ch]' ! -iname '*.js' \
			-exec stat -L "$stat_option" "$stat_format" {} \;
		[ $? -ne 137 ] || echo late
	} 2>/dev/null </dev/null | head -n "$most_found" | sort -u | sort -rn
}

read_ends() {
	rest=${1#* } size=${rest%% *} path=${rest#* * }
	answer file "$1"
	head -c "$head_bytes" <"$path"
	answer tail
	if [ "$size" -gt "$((head_bytes + tail_bytes))" ]; then
		tail -c "$tail_bytes" <"$path"
	elif [ "$size" -gt "$head_bytes" ]; then
		tail -c "+$((head_bytes + 1))" <"$path" | head -c "$tail_bytes"
	fi
} 2>/dev/null

read_logs() {
	found=0
	while IFS= read -r line; do
		case $line in late) answer late; continue ;; esac
		found=$((found + 1))
		[ "$found" -le "$most_read" ] || continue
		if has_time; then read_ends "$line"; else answer late; most_read=0; fi
	done
	answer count "$found"
}

answer clock "$(date +%s)"
while [ $# -ge 2 ]; do
	command -v "${2%% *}" >/dev/null 2>&1 && list "$1" "$2"
	shift 2
done

set -f
home=${HOME:-/root}
case $folder in
'') set -- "$home" /workspace /data /mnt /scratch /runs ;;
'~') set -- "$home" ;;
'~/'*) set -- "$home/${folder#??}" ;;
-*) set -- "./$folder" ;;
*) set -- "$folder" ;;
esac
IFS='
'
[ "$folder" ] || set -- "$@" $(working_folders)
unset IFS
# A home or a working folder may be the root, which is looked through only where that was asked for.
for place do
	shift
	[ "$place$folder" = / ] || [ ! -d "$place" ] || set -- "$@" "$place"
done
if [ $# -gt 0 ]; then
	seek "$@" | read_logs
else
	answer nothing
fi
answer end
