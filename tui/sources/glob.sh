# What a pattern matches at the far end of a way: it is expanded anew at each request.
#
# It goes on from where beat.sh ends; PATH is the pattern.
#
#   look MOST  matches COUNT LENGTH, then LENGTH bytes and the mark once more, or same where nothing has changed since
#              the last look. The bytes are the paths in the shell's order, at most MOST of them, a NUL after each.
#
# A path that exists as written is its only match. The pattern is expanded by the shell, but never run by it: with IFS
# empty an unquoted variable undergoes nothing but the expansion of its `*?[`.
#
# Comments and indentation are taken out before the script is sent. It needs sh, sleep and printf.
case $path in
'~/'*) path=$HOME/${path#??} ;;
-*) path=./$path ;;
esac

look() {
	most=$1
	if [ -e "$path" ]; then
		set -- "$path"
	else
		IFS=
		set -- $path
		unset IFS
	fi
	[ -e "$1" ] || [ -L "$1" ] || shift
	if [ "$# $*" = "$seen" ]; then
		answer same
		return
	fi
	seen="$# $*" length=0 left=$most
	for match do
		[ "$left" -gt 0 ] || break
		left=$((left - 1))
		length=$((length + ${#match} + 1))
	done
	answer matches "$#" "$length"
	left=$most
	for match do
		[ "$left" -gt 0 ] || break
		left=$((left - 1))
		printf '%s\0' "$match"
	done
	echo "$mark"
}

seen= can_ring=
watch &
watcher=$!
trap 'kill $watcher; exit 0' HUP INT TERM PIPE
while read -r request a; do
	kill -USR1 "$watcher"
	case $request in
	look) look "$a" ;;
	esac
done
kill $watcher
