# fish completion for heddle; commands, options and values are those that the installed heddle names.
function __heddle_commands
    heddle --help 2>/dev/null | string match -rg '^  heddle ([a-z+]+) ' | sort -u
end
function __heddle_options
    set -l words (commandline -opc)
    heddle $words[2] --help all 2>/dev/null | string match -rag -- '(--[a-z][a-z-]*)' | sort -u
end
# The option before the cursor, if it takes one of some words.
function __heddle_option
    set -l words (commandline -opc)
    test (count $words) -gt 2; and string match -rq -- \
        '^--(strategy|search|reduce|finer|faults|memory|races|heuristic|files|livelocks|reuse|check|format)$' $words[-1]
end
function __heddle_values
    set -l words (commandline -opc)
    heddle $words[2] $words[-1] '?' x.c 2>&1 | sed -nE 's/.*(there are:? |: use |may fail \()//; T
        s/[;)].*//; s/, and .*//; s/,? or /, /g; s/\[[^,]*//g; s/, /\n/g; p'
end
complete -c heddle -n 'test (count (commandline -opc)) -eq 1' -f -a '(__heddle_commands) --help --version'
complete -c heddle -n 'test (count (commandline -opc)) -gt 1; and string match -q -- "-*" (commandline -ct)' -f -a '(__heddle_options)'
complete -c heddle -n __heddle_option -f -a '(__heddle_values)'
complete -c heddle -n 'test (count (commandline -opc)) -gt 2; and test (commandline -opc)[-1] = --analysis' -f -a 'off fast full all'
