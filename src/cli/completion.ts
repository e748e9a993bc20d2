// `mrc-explorer completion`: writes scripts for bash, zsh, fish and PowerShell from the commands.
import { Argument, type Command, type Option } from "commander";
import type { ProcessIO } from "./process-io.ts";

interface Node {
  /** Names of the command and its parents: "/accounts/transactions"; empty for the program. */
  readonly path: string;
  /** The same path with the command's other names. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly children: readonly Node[];
  /** Choices for the command's arguments. */
  readonly words: readonly string[];
  readonly options: readonly CompletedOption[];
}

interface CompletedOption {
  /** "--start-block", followed by its other spellings. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly isPath: boolean;
  readonly choices: readonly string[];
}

/** Returns the first phrase of a text, without characters that are special in some shell. */
const plain = (text: string): string =>
  (/^[^.(:;]*/.exec(text)?.[0] ?? "").replaceAll(/[^\w\s,/-]/g, "").trim();

const completedOption = ({ flags, description, required, optional, argChoices }: Option) => ({
  names: flags.match(/--[\w-]+/g) ?? [],
  description: plain(description),
  takesValue: required || optional,
  isPath: /<(file|dir)>/.test(flags),
  choices: argChoices ?? [],
});

function nodeOf(command: Command, paths: readonly string[]): Node {
  const help = command.createHelp();
  const children = command.commands.map((child) =>
    nodeOf(
      child,
      [child.name(), ...child.aliases()].map((name) => `${paths[0]}/${name}`),
    ),
  );
  return {
    path: paths[0] ?? "",
    aliases: paths.slice(1),
    description: plain(command.summary() || command.description()),
    children,
    words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    options: help.visibleOptions(command).map(completedOption),
  };
}

/** Words that may follow a command, with their descriptions. */
const entriesOf = ({ children, words, options }: Node): readonly (readonly [string, string])[] => [
  ...children.map((child) => [nameOf(child), child.description] as const),
  ...words.map((word) => [word, ""] as const),
  ...options.map(({ names, description }) => [names[0] ?? "", description] as const),
];

const everyNode = (node: Node): readonly Node[] => [node, ...node.children.flatMap(everyNode)];
const nameOf = ({ path }: Node): string => path.slice(path.lastIndexOf("/") + 1);

/** Writes a branch of a `case` statement in bash or zsh. */
const branch = (patterns: readonly string[], action: string): string =>
  `    ${patterns.map((one) => `"${one}"`).join("|")}) ${action};;`;

/** Writes a loop that sets `place` to the path of the command before the cursor. */
const walk = (nodes: readonly Node[], words: string): string[] => [
  `  local place="" word`,
  `  for word in ${words}; do`,
  `    case "$place/$word" in`,
  ...nodes
    .filter(({ path }) => path !== "")
    .map(({ path, aliases }) => branch([path, ...aliases], `place="${path}"`)),
  "    esac",
  "  done",
];

/** Writes a branch for each option with choices. `set` writes how to offer the choices. */
const choices = (nodes: readonly Node[], set: (words: readonly string[]) => string): string[] =>
  nodes.flatMap(({ path, options }) =>
    options
      .filter((option) => option.choices.length > 0)
      .map((option) =>
        branch(
          option.names.map((name) => `${path} ${name}`),
          set(option.choices),
        ),
      ),
  );

/** Writes a pattern of the options with a value. Options with choices are matched before it. */
const valued = (nodes: readonly Node[]): string =>
  [
    ...new Set(
      nodes.flatMap(({ options }) =>
        options.filter(({ takesValue }) => takesValue).flatMap(({ names }) => names),
      ),
    ),
  ]
    .map((name) => `*" ${name}"`)
    .join("|");

const bash = (name: string, nodes: readonly Node[]): string[] => [
  `# Completes ${name} in bash. Load it with: eval "$(${name} completion bash)"`,
  "_mrc_explorer() {",
  `  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""`,
  ...walk(nodes, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`),
  `  case "$place $before" in`,
  ...choices(nodes, (words) => `words="${words.join(" ")}"`),
  `    ${valued(nodes)}) COMPREPLY=(); return;;`,
  "    *)",
  `    case "$place" in`,
  ...nodes.map((node) =>
    branch(
      [node.path],
      `words="${entriesOf(node)
        .map(([word]) => word)
        .join(" ")}"`,
    ),
  ),
  "    esac;;",
  "  esac",
  `  COMPREPLY=($(compgen -W "$words" -- "$current"))`,
  "}",
  // Without a match, `default` completes file names: for `--resume`, `--chain` and `@file`.
  `complete -o default -F _mrc_explorer ${name}`,
];

const described = (node: Node): string =>
  entriesOf(node)
    .map(([word, description]) => `'${word}${description && `:${description}`}'`)
    .join(" ");

const zsh = (name: string, nodes: readonly Node[]): string[] => [
  `#compdef ${name}`,
  `# Completes ${name} in zsh. Load it after compinit with: eval "$(${name} completion zsh)"`,
  "_mrc_explorer() {",
  `  local before="\${words[CURRENT-1]}"`,
  "  local -a found",
  ...walk(nodes, `"\${(@)words[2,CURRENT-1]}"`),
  `  case "$place $before" in`,
  ...choices(nodes, (words) => `found=(${words.join(" ")})`),
  `    ${valued(nodes)}) _files; return;;`,
  "    *)",
  `    case "$place" in`,
  ...nodes.map((node) => branch([node.path], `found=(${described(node)})`)),
  "    esac;;",
  "  esac",
  `  _describe '${name}' found || _files`,
  "}",
  `compdef _mrc_explorer ${name}`,
];

const fish = (name: string, nodes: readonly Node[]): string[] => {
  const at = ({ path }: Node) => `complete -c ${name} -n '__mrc_explorer_at "${path}"'`;
  return [
    `# Completes ${name} in fish. Load it with: ${name} completion fish | source`,
    "function __mrc_explorer_at",
    '  set -l place ""',
    "  for word in (commandline -opc)[2..]",
    '    switch "$place/$word"',
    ...nodes
      .filter(({ path }) => path !== "")
      .map(({ path, aliases }) => `      case ${[path, ...aliases].join(" ")}; set place ${path}`),
    "    end",
    "  end",
    '  test "$place" = "$argv[1]"',
    "end",
    ...nodes.flatMap((node) => [
      ...node.children.map(
        (child) => `${at(node)} -f -a ${nameOf(child)} -d '${child.description}'`,
      ),
      ...(node.words.length > 0 ? [`${at(node)} -f -a '${node.words.join(" ")}'`] : []),
      ...node.options.map(({ names, description, takesValue, isPath, choices: words }) => {
        const value = isPath ? " -r -F" : takesValue ? " -x" : "";
        const suggested = words.length > 0 ? ` -a '${words.join(" ")}'` : "";
        return `${at(node)} -l ${names[0]?.slice(2)}${value}${suggested} -d '${description}'`;
      }),
    ]),
  ];
};

/** Quotes a text for PowerShell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const hashtable = (entries: readonly (readonly [string, string])[]): string =>
  `@{ ${entries.map(([key, value]) => `${quoted(key)} = ${value}`).join("; ")} }`;
/** A list of one item needs a comma before it, because PowerShell would unwrap a list of one list. */
const array = (items: readonly string[]): string =>
  `@(${items.length === 1 ? ", " : ""}${items.join(", ")})`;

/**
 * The PowerShell script has a table for each lookup: the node of a path, the entries of a node, the
 * choices of an option, and the options with a value.
 */
const powershell = (name: string, nodes: readonly Node[]): string[] => [
  `# Completes ${name} in PowerShell. Load it with: ${name} completion powershell | Out-String | Invoke-Expression`,
  `Register-ArgumentCompleter -Native -CommandName ${quoted(name)} -ScriptBlock {`,
  "  param($wordToComplete, $commandAst, $cursorPosition)",
  `  $places = ${hashtable(nodes.flatMap(({ path, aliases }) => (path === "" ? [] : [path, ...aliases].map((one) => [one, quoted(path)] as const))))}`,
  `  $entries = ${hashtable(nodes.map((node) => [node.path, array(entriesOf(node).map(([word, description]) => array([quoted(word), quoted(description || word)])))]))}`,
  `  $choices = ${hashtable(nodes.flatMap(({ path, options }) => options.flatMap(({ names, choices }) => (choices.length > 0 ? names.map((one) => [`${path} ${one}`, array(choices.map(quoted))] as const) : []))))}`,
  `  $valued = ${array([...new Set(nodes.flatMap(({ options }) => options.flatMap(({ names, takesValue }) => (takesValue ? names.map(quoted) : []))))])}`,
  "  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })",
  "  $place = ''",
  '  foreach ($word in $words) { if ($places.ContainsKey("$place/$word")) { $place = $places["$place/$word"] } }',
  "  $before = if ($words.Count -gt 0) { $words[-1] } else { '' }",
  '  if ($choices.ContainsKey("$place $before")) { $found = @($choices["$place $before"] | ForEach-Object { , @($_, $_) }) }',
  // If a completer returns nothing, PowerShell offers file names.
  "  elseif ($valued -contains $before) { return }",
  "  else { $found = $entries[$place] }",
  '  $found | Where-Object { $_[0] -like "$wordToComplete*" } | ForEach-Object {',
  "    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])",
  "  }",
  "}",
];

const shells = { bash, zsh, fish, powershell } as const;

export function addCompletion(program: Command, io: ProcessIO): void {
  const names = Object.keys(shells);
  program
    .command("completion")
    .summary("Print a script that completes commands in your shell")
    .description(
      `Prints a script for your shell. Load it in its startup file: eval "$(${program.name()} completion bash)"`,
    )
    .addArgument(new Argument("<shell>", "your shell").choices(names))
    .action((shell: keyof typeof shells) => {
      const script = shells[shell](program.name(), everyNode(nodeOf(program, [""])));
      io.stdout.write(`${script.join("\n")}\n`);
    });
}
