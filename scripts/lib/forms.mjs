/**
 * Lists, dialogs and mutating calls have one standard form each in the console's kit: `ListPage` and `ListCard`,
 * `FormDialog`, `useAction`. A file outside of the kit builds none of its own, except those that are named here.
 */

/** Files by name, so that a move to another folder keeps the exception. */
const exceptions = {
  /** Dialogs and drawers that ask for nothing: they only show. */
  shows: {
    'Reveal.tsx': 'shows a whole number for a minute; the reason is asked for by a FormDialog',
    'ThemeDrawer.tsx': 'settings of this browser: nothing is sent',
    'BatchProgress.tsx': 'shows how far the commands of a batch have come',
    'Configuration.tsx': 'shows what a device that was just registered must be told',
    'RoleCompare.tsx': 'compares two roles side by side',
  },
}

const rules = [
  {
    pattern: /from 'antd\/es\/(?:modal|drawer)'/,
    allowed: Object.keys(exceptions.shows),
    why: 'use FormDialog or FormDrawer of kit/form',
  },
  {
    pattern: /\buseMutation\b/,
    allowed: [],
    why: 'use useAction of kit/action',
  },
  {
    pattern: /from 'antd\/es\/(?:table|list)'/,
    allowed: [],
    why: 'use ListPage or ListCard of kit/list',
  },
]

/** Faults of one file: `[{path, line, why}]`. */
export function formFaults({ path, text }) {
  if (!/^apps\/console\/src\/(?!kit\/).*\.tsx?$/.test(path) || /\.test\.tsx?$/.test(path)) return []
  const name = path.slice(path.lastIndexOf('/') + 1)
  return rules.flatMap(({ pattern, allowed, why }) => {
    const found = allowed.includes(name) ? null : pattern.exec(text)
    return found === null
      ? []
      : [{ path, line: text.slice(0, found.index).split('\n').length, why: `${found[0]}: ${why}` }]
  })
}

/** Exceptions that no file needs any more, among all files of the tree. */
export function staleFormExceptions(files) {
  const pages = files.filter(
    ({ path }) => /^apps\/console\/src\/(?!kit\/).*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
  )
  const stale = rules.flatMap(({ pattern, allowed }) =>
    allowed.filter(
      (name) => !pages.some(({ path, text }) => path.slice(path.lastIndexOf('/') + 1) === name && pattern.test(text)),
    ),
  )
  return [...new Set(stale)].map((name) => `scripts/lib/forms.mjs: no ${name} needs its exception`)
}
