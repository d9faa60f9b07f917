# Runs a command that goes on and on, and ends it when standard input ends, or no beat comes any more.
#
#   sh -c SCRIPT milepost NONCE NAME PATIENCE COMMAND...
#
# It goes on from where beat.sh ends; each line of standard input is a beat. The command's output follows the first
# marked line. Its own end is seen at the next beat, and its exit status is the script's.
shift 3
trap leave HUP INT TERM PIPE
# What the command has started ends too where the shell leads a process group of its own, as in a session of sshd.
leave() {
	kill -9 "$command"
	kill "$watcher"
	group=
	read -r _ _ _ _ group _ </proc/$self/stat
	[ "$group" != "$self" ] || kill -9 0
	exit 0
} 2>/dev/null
watch >/dev/null &
watcher=$!
answer ready
"$@" </dev/null &
command=$!
while read -r _; do
	kill -USR1 "$watcher"
	(:) # a shell takes note of its children's ends when it waits for one
	kill -0 "$command" 2>/dev/null && continue
	kill "$watcher"
	wait "$command"
	exit
done
leave
