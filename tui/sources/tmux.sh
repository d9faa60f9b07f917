# The far end of the way to a tmux pane: it answers requests, one line each, until its standard input ends.
#
# It goes on from where beat.sh ends; PATH is the pane's address for tmux.
#
#   look PIN SEEN LINES  pane PIN SEEN HEIGHT ACTIVITY CLOCK LENGTH, then LENGTH bytes and the mark once more,
#                        or notmux | noserver | nosession | nopane
#
# PIN is the pane's identity, by which it is found again after the windows have changed places; - at first. SEEN says how
# it stands: size of the history, column and row of the cursor, alternate screen or not, joined by colons, and ACTIVITY:
# what a full history takes in and drops may leave the rest as it was, so that within a second nothing is sure. The bytes
# are the text from LINES before where the history ended at SEEN (- is all of it, at most as many as follow the -) to the
# line of the cursor, wrapped lines joined, and a line with a dot. There are none where nothing has changed, and while
# the alternate screen is shown. HEIGHT is in lines, ACTIVITY and CLOCK are in seconds since the epoch.
#
# It needs sh, tmux, date, sleep and printf.

# To be called in a substitution only. Without -u tmux would write _ for each character beyond ASCII, and a locale that
# is no UTF-8 it would not have.
ask() {
	unset LC_ALL
	exec tmux -u "$@" </dev/null 2>/dev/null
}

describe() {
	ask display-message -p -t "$1" '#{pane_id}.#{pane_pid} #{history_size}:#{cursor_x}:#{cursor_y}:#{alternate_on}:#{window_activity} #{pane_height} #{window_activity}'
}

refuse() {
	if ! command -v tmux >/dev/null 2>&1; then
		answer notmux
	elif ! (ask list-sessions >/dev/null); then
		answer noserver
	elif ! (ask has-session -t "${path%%:*}" >/dev/null); then
		answer nosession
	else
		answer nopane
	fi
}

look() {
	pin=$1 seen=$2 lines=$3
	pane=${pin%%.*}
	set --
	[ "$pin" = - ] || set -- $(describe "$pane")
	if [ "$1" != "$pin" ]; then
		pane=$path
		set --
		(ask capture-pane -p -t "$pane" -E 0 >/dev/null) && set -- $(describe "$pane")
	fi
	case $1 in
	%*) ;;
	*) refuse; return ;;
	esac
	text= clock=$(date +%s)
	if [ "$2" != "$seen" ] || [ $((clock - ${4:-0})) -lt 2 ]; then
		capture "$2"
	fi
	answer pane "$1" "$2" "$3" "$4" "$clock" "${#text}"
	printf %s "$text"
	echo "$mark"
}

capture() {
	history=${1%%:*} rest=${1#*:*:}
	case $rest in
	*:0:*) ;;
	*) return ;;
	esac
	case $lines in
	-*) first=$lines ;;
	*)
		grown=$((history - ${seen%%:*} + lines))
		[ "$grown" -ge 0 ] && first=-$grown || first=-
		;;
	esac
	text=$( (ask capture-pane -p -J -t "$pane" -S "$first" -E "${rest%%:*}") && echo .)
}

can_ring=
watch &
watcher=$!
trap 'kill $watcher; exit 0' HUP INT TERM PIPE
while read -r request a b c; do
	kill -USR1 "$watcher"
	case $request in
	look) look "$a" "$b" "$c" ;;
	esac
done
kill $watcher
