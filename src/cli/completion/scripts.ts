/** The completion scripts; each runs the command itself, with the line up to the cursor. */
export const COMPLETION_SCRIPTS = {
  // Readline replaces what follows the last of its word breaks, of which : and = may stand in a word here.
  bash: `_fentry() {
  local line=\${COMP_LINE:0:COMP_POINT} IFS=$'\\n'
  local typed=\${line##*[[:blank:]]}
  local done=\${typed%"\${typed##*[:=]}"}
  COMPREPLY=($("\${COMP_WORDS[0]}" completion --words "$line" 2>/dev/null | cut -f1))
  COMPREPLY=("\${COMPREPLY[@]#"$done"}")
  if [ "\${#COMPREPLY[@]}" = 1 ] && [[ \${COMPREPLY[0]} = */ ]]; then compopt -o nospace; fi
}
complete -o default -F _fentry fentry
`,
  zsh: `#compdef fentry
_fentry() {
  local line row
  local -a found rows
  line="\${(j: :)words[1,CURRENT]}"
  found=("\${(@f)$("\${words[1]}" completion --words "$line" 2>/dev/null)}")
  for row in $found; do rows+=("\${\${row%%$'\\t'*}//:/\\\\:}:\${row#*$'\\t'}"); done
  if (( \${#rows} )); then _describe fentry rows; else _files; fi
}
if [ "$funcstack[1]" = _fentry ]; then _fentry "$@"; else compdef _fentry fentry; fi
`,
  fish: `function __fentry_complete
  fentry completion --words (commandline -cp) 2>/dev/null
end
complete -c fentry -a '(__fentry_complete)'
`,
} as const;

/** The shells that have a script. */
export const SHELLS = Object.keys(COMPLETION_SCRIPTS) as readonly (keyof typeof COMPLETION_SCRIPTS)[];
