# What a pattern matches at the far end of a way, told once.
#
#   sh -c SCRIPT milepost NONCE PATTERN MOST
#
# NONCE marks every line that is ours. The answer is `matches COUNT LENGTH`, then LENGTH bytes: the paths in the shell's
# order, at most MOST of them, each with a NUL after it as `printf %b` writes it, and the mark once more. A path that
# exists as written is its only match. The pattern is expanded by the shell, but never run by it: with IFS empty an
# unquoted variable undergoes nothing but the expansion of its `*?[`.
#
# Comments and indentation are taken out before the script is sent. It needs sh and printf.
LC_ALL=C
export LC_ALL
mark="@$1@" path=$2 most=$3
case $path in
'~/'*) path=$HOME/${path#??} ;;
-*) path=./$path ;;
esac
if [ -e "$path" ]; then
	set -- "$path"
else
	IFS=
	set -- $path
	IFS=' '
fi
[ -e "$1" ] || [ -L "$1" ] || shift
count=$# length=0 left=$most
for match do
	[ "$left" -gt 0 ] || break
	left=$((left - 1))
	length=$((length + ${#match} + 1))
done
echo "$mark matches $count $length"
left=$most
for match do
	[ "$left" -gt 0 ] || break
	left=$((left - 1))
	printf '%s\0' "$match"
done
echo "$mark"
