# The far end of the way to logs: it answers requests, one line each, until its standard input ends.
#
# It goes on from where beat.sh ends. It serves many logs; K is the number that the client gave to one. PATH, that of
# the first, is for those who read a list of processes.
#
#   log K PATH           no answer; the number's log from now on, in octal as for `printf %b`
#   open K               opened STAT | missing | folder | special | denied
#   read K AT N SIZE TIME  data LENGTH STAT [STAT], then LENGTH bytes from AT on, at most N; none if the file still
#                        has that size and time. The second STAT is of what the path names now.
#   kin K                data LENGTH, then one STAT a line: the files named PATH.* and PATH-*
#   names K              data LENGTH COUNT, then STAT, mode and path of each file of the folder, one a line; of more
#                        than 1000 the newest, some perhaps twice. COUNT is how many there are.
#   entry K NAME         like open, for a file of the folder, its name in octal
#   ring K AT            no answer, but the log's own bytes on standard error as soon as it is longer than AT:
#                        a bell, no more. It falls silent when bytes are read, or another file is opened.
#   drop K               no answer; the log is let go
#   look                 data LENGTH K..., then for each open log a STAT of / and those of `read`, one a line;
#                        `same` where none of it has changed since the last look
#   clock                clock SECONDS, since the epoch
#
# After `open` has answered folder, the folder is PATH itself, and the log is one of its files.
#
# STAT is: device inode size modification_time links. After the bytes of an answer the mark stands once more.
# Comments and indentation are taken out before the script is sent. It writes to no file and needs sh, stat, dd
# (or tail and head), date, sleep and printf; the bell needs tail, a folder with many files ls, grep and head.
mover= logs= looked=

# A log's variables are kept with its number in their names.
load() {
	eval "path=\$path_$1 folder=\$folder_$1 name=\$name_$1 log=\$log_$1 holder=\$holder_$1 bell=\$bell_$1"
}

save() {
	eval "path_$1=\$path folder_$1=\$folder name_$1=\$name log_$1=\$log holder_$1=\$holder bell_$1=\$bell"
}

spell() {
	spelled=$(printf %b. "$1")
	spelled=${spelled%.}
}

add() {
	logs="$logs $k" looked= name= log= holder= bell=
	spell "$1"
	path=$spelled
	case $path in
	'~') path=$HOME ;;
	'~/'*) path=$HOME/${path#??} ;;
	-*) path=./$path ;;
	esac
}

drop() {
	let_go
	looked= path= log=
	set -- $logs
	logs=
	for each do
		[ "$each" = "$k" ] || logs="$logs $each"
	done
}

# To be called in a substitution only: stat takes the place of that shell, which spares a process.
measure() {
	exec stat -L -c '%d %i %s %Y %h' "$@" 2>/dev/null
}

ring() {
	hush
	[ -d "$path" ] || name=$path
	tail -c "+$(($1 + 1))" -f "$name" >&2 2>/dev/null &
	bell=$!
}

hush() {
	[ "$bell" ] || return 0
	kill "$bell"
	wait "$bell"
	bell=
} 2>/dev/null

let_go() {
	hush
	[ "$holder" ] || return 0
	kill -9 "$holder"
	wait "$holder"
	holder=
} 2>/dev/null

open_named() {
	case $path in
	*/*) folder=${path%/*} ;;
	*) folder=. ;;
	esac
	open_log "$path"
}

# A process of its own holds each log open, so that it can be read to its end after it was renamed or removed: the
# shell itself has descriptors for seven only.
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
	elif [ -r "$1" ] && command exec 3<"$1"; then
		let_go
		holder=new
		sleep 99999999 3<&3 </dev/null >/dev/null 2>&1 &
		holder=$! looked=
		exec 3<&-
		name=$1
		log=/proc/$holder/fd/3
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
	copy "$1" "$2" &
	mover=$!
	wait "$mover"
	mover=
	echo "$mark"
}

# Of more files than one command takes, the newest and the newest of those named like a log. Where ls writes ? for what
# it can't print, the name is a pattern that matches it. To be called in a substitution only.
survey() {
	if [ $# -gt 1000 ]; then
		CDPATH= cd "$folder/" || exit
		set -- "$(
			ls -t | grep -iE 'log|tfevents|metrics|history|\.(jsonl|ndjson|csv|tsv|out|wandb)$' | head -n 500
			ls -t | head -n 500
		)"
		case $1 in
		*\?*) ;;
		*) set -f ;;
		esac
		IFS='
'
		set -- $1
	fi
	exec stat -L -c '%d %i %s %Y %h %f %n' -- "$@" 2>/dev/null
}

names() {
	set -- "$folder"/*
	count=$#
	set -- "$(survey "$@")"
	answer data "${#1}" "$count"
	printf %s "$1"
	echo "$mark"
}

tell() {
	text=$1
	shift
	answer data $((${#text} + 1)) "$@"
	echo "$text"
	echo "$mark"
}

look() {
	set --
	open=
	for k in $logs; do
		load "$k"
		[ "$log" ] || continue
		open="$open $k"
		set -- "$@" / "$log" "$path"
	done
	now=$(measure / "$@")
	if [ "$now" = "$looked" ]; then answer same; return; fi
	looked=$now
	tell "$now" $open
}

read_log() {
	at=$1 most=$2 known="$3 $4"
	set --
	[ ! -r "$log" ] || set -- $(measure "$log" "$path")
	[ $# -ge 5 ] || { answer data 0; echo "$mark"; return; }
	length=$(($3 - at))
	[ "$length" -le "$most" ] || length=$most
	if [ "$length" -lt 0 ] || [ "$3 $4" = "$known" ]; then length=0; fi
	answer data "$length" "$@"
	if [ "$length" -gt 0 ]; then hush; send "$at" "$length"; else echo "$mark"; fi
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
	[ "$holder" != new ] || holder=$!
	[ "$holder" != "$watcher" ] || holder=
	kill "$watcher"
	kill -9 $mover $bell $holder
	for k in $logs; do
		load "$k"
		kill -9 $bell $holder
	done
	exit 0
} 2>/dev/null
trap leave HUP INT TERM PIPE
while read -r request k a b c d; do
	kill -USR1 "$watcher"
	case $request in
	look) look; continue ;;
	clock) answer clock "$(date +%s)"; continue ;;
	esac
	load "$k"
	case $request in
	log) add "$a" ;;
	open) open_named ;;
	read) read_log "$a" "$b" "$c" "$d" ;;
	kin) tell "$(measure "$path"[.-]*)" ;;
	names) names ;;
	entry) spell "$a"; open_log "$folder/$spelled" ;;
	ring) ring "$a" ;;
	drop) drop ;;
	esac
	save "$k"
done
leave
