# The far end of the way to a log: it answers requests, one line each, until its standard input ends.
#
# It goes on from where beat.sh ends; PATH is the log.
#
#   open                 opened STAT | missing | folder | special | denied
#   read AT N SIZE TIME  data LENGTH STAT [STAT], then LENGTH bytes from AT on, at most N; none if the file still
#                        has that size and time. The second STAT is of what the path names now.
#   list | kin           data LENGTH, then one STAT a line: all files of the folder | those named PATH.* and PATH-*
#   pick K               like open, for the file at place K (from 0) of `list`
#   names                data LENGTH, then STAT, mode and path of each file of the folder, one a line
#   entry NAME           like open, for a file of the folder, its name in octal as for `printf %b`
#   clock                clock SECONDS, since the epoch
#   ring AT              no answer, but the log's own bytes on standard error as soon as it is longer than AT:
#                        a bell, no more. It falls silent when bytes are read, or another file is opened.
#
# After `open` has answered folder, the folder is PATH itself, and the log is one of its files.
#
# STAT is: device inode size modification_time links. After the bytes of an answer the mark stands once more.
# Comments and indentation are taken out before the script is sent. It writes to no file and needs sh, stat, dd
# (or tail and head), date and sleep; the bell needs tail, a folder printf.
mover= bell=
case $path in
'~') path=$HOME ;;
'~/'*) path=$HOME/${path#??} ;;
-*) path=./$path ;;
esac
case $path in
*/*) above=${path%/*} ;;
*) above=. ;;
esac
folder=$above

# To be called in a substitution only: stat takes the place of that shell, which spares a process.
measure() {
	exec stat -L -c '%d %i %s %Y %h' "$@" 2>/dev/null
}

ring() {
	hush
	[ -d "$path" ] || name=$path
	tail -c "+$(($1 + 1))" -f "$name" >&2 2>/dev/null 3<&- &
	bell=$!
}

hush() {
	[ "$bell" ] || return 0
	kill "$bell"
	wait "$bell"
	bell=
} 2>/dev/null

# Holds the log open as descriptor 3, so that it can be read to its end after it was renamed or removed.
open_log() {
	if [ -d "$1" ]; then
		folder=${1%/}
		answer folder
	elif [ -d "$folder/" ] && [ ! -x "$folder/" ]; then
		answer denied
	elif [ ! -e "$1" ]; then
		answer missing
	elif [ ! -f "$1" ]; then
		answer special
	elif [ -r "$1" ] && hush && command exec 3<"$1"; then
		name=$1
		log=/proc/$self/fd/3
		[ -r "$log" ] || log=$1
		answer opened $(measure "$log")
	else
		answer denied
	fi
}

copy() {
	if [ "$can_skip" ]; then
		exec dd bs=65536 iflag=skip_bytes,count_bytes skip="$1" count="$2" <"$log" 2>/dev/null
	else
		tail -c "+$(($1 + 1))" <"$log" | head -c "$2"
	fi
}

# Runs beside the shell, so that a signal ends both at once.
send() {
	mover=new
	copy "$1" "$2" 3<&- &
	mover=$!
	wait "$mover"
	mover=
	echo "$mark"
}

names() {
	set -- "$(exec stat -L -c '%d %i %s %Y %h %f %n' "$folder"/* 2>/dev/null)"
	answer data "${#1}"
	printf %s "$1"
	echo "$mark"
}

tell() {
	answer data $((${#1} + 1))
	echo "$1"
	echo "$mark"
}

read_log() {
	at=$1 most=$2 known="$3 $4"
	set -- $(measure "$log" "$path")
	[ $# -ge 5 ] || { answer data 0; echo "$mark"; return; }
	length=$(($3 - at))
	[ "$length" -le "$most" ] || length=$most
	if [ "$length" -lt 0 ] || [ "$3 $4" = "$known" ]; then length=0; fi
	answer data "$length" "$@"
	if [ "$length" -gt 0 ]; then hush; send "$at" "$length"; else echo "$mark"; fi
}

pick() {
	place=$1
	set -- "$folder"/*
	if [ $# -gt "$place" ]; then
		shift "$place"
		open_log "$1"
	else
		answer missing
	fi
}

can_skip=
dd iflag=skip_bytes,count_bytes skip=0 count=0 </dev/null >/dev/null 2>&1 && can_skip=1
can_ring=
tail -c +1 /dev/null >/dev/null 2>&1 && can_ring=bell
watch &
watcher=$!
# A child that was just forked can lose a signal that it could have trapped, so those end by the one it can't.
leave() {
	[ "$mover" != new ] || mover=$!
	[ "$mover" != "$watcher" ] || mover=
	kill "$watcher"
	kill -9 $mover $bell
	exit 0
} 2>/dev/null
trap leave HUP INT TERM PIPE
while read -r request a b c d; do
	kill -USR1 "$watcher"
	case $request in
	open) folder=$above; open_log "$path" ;;
	read) read_log "$a" "$b" "$c" "$d" ;;
	list) tell "$(measure "$folder"/*)" ;;
	kin) tell "$(measure "$path"[.-]*)" ;;
	pick) pick "$a" ;;
	names) names ;;
	entry) name=$(printf %b. "$a"); open_log "$folder/${name%.}" ;;
	clock) answer clock "$(date +%s)" ;;
	ring) ring "$a" ;;
	esac
done
kill $watcher $bell
