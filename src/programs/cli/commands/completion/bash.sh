# qa-pay completion for bash
_qa_pay_at() {
  case "$1" in
@PLACES@
  esac
}
_qa_pay() {
  local current="${COMP_WORDS[COMP_CWORD]}" place='' flag='' word='' offers='' children='' flags='' taking='' args=''
  COMPREPLY=()
  _qa_pay_at ''
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    # bash splits --flag=value into three words.
    case "$word" in '' | '=') continue ;; '--') return ;; esac
    if [ -n "$flag" ]; then
      flag=''
      continue
    fi
    case "$word" in
      -*) case " $taking " in *" $word "*) flag="$word" ;; esac ;;
      *)
        # After the last word of a command come its arguments. Only the values of the first one are known.
        if [ -z "$children" ]; then
          args=''
          continue
        fi
        [ "$place$word" != help ] || continue
        case " $children " in *" $word "*) ;; *) return ;; esac
        place="${place:+$place }$word"
        _qa_pay_at "$place"
        ;;
    esac
  done
  case "$current" in '=') current='' ;; -*) children='' args='' ;; esac
  if [ -z "$flag" ]; then
    offers="${children:-${args:-$flags}}"
  else
    case "$place $flag" in
@VALUES@
    esac
  fi
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
}
complete -o default -F _qa_pay qa-pay
