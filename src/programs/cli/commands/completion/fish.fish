# qa-pay completion for fish
set -g __qa_pay_places @PLACES@
set -g __qa_pay_groups '' @GROUPS@
set -g __qa_pay_taking @TAKING@
function __qa_pay_at
    set -l place ''
    set -l value no
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        if test $value = yes
            set value no
        else if string match -q -- '-*' $word
            contains -- $word $__qa_pay_taking; and set value yes
        else
            set -l next (string trim -- "$place $word")
            test "$next" = help; and continue
            if contains -- $next $__qa_pay_places
                set place $next
            else if contains -- "$place" $__qa_pay_groups
                return 1
            end
        end
    end
    test "$place" = "$argv"
end
complete -c qa-pay -s h -l help
complete -c qa-pay -n __qa_pay_at -f -a help
@LINES@
