# fish completion for heddle; the options are those of the installed heddle's help.
function __heddle_commands
    heddle --help 2>/dev/null | string match -rg '^  heddle ([a-z+]+) ' | sort -u
end
function __heddle_options
    set -l words (commandline -opc)
    heddle $words[2] --help all 2>/dev/null | string match -rag -- '(--[a-z][a-z-]*)' | sort -u
end
complete -c heddle -n 'test (count (commandline -opc)) -eq 1' -f -a '(__heddle_commands) --help --version'
complete -c heddle -n 'test (count (commandline -opc)) -gt 1; and string match -q -- "-*" (commandline -ct)' -f -a '(__heddle_options)'
