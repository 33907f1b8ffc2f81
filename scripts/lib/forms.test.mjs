import { describe, expect, it } from 'vitest'
import { formFaults, staleFormExceptions } from './forms.mjs'

const whyOf = (path, text) => formFaults({ path, text }).map(({ why }) => why)
const modal = "import Modal from 'antd/es/modal'"

describe('forms', () => {
  it.each([
    ['apps/console/src/rider/new/NewDialog.tsx', modal, 'FormDialog'],
    ['apps/console/src/rider/new/NewDrawer.tsx', "import Drawer from 'antd/es/drawer'", 'FormDrawer'],
    ['apps/console/src/rider/new/useNew.ts', 'const send = useMutation({})', 'useAction'],
    ['apps/console/src/rider/new/NewPage.tsx', "import Table from 'antd/es/table'", 'ListPage'],
  ])('%s builds no form of its own: %s', (path, text, instead) => {
    expect(whyOf(path, text)).toEqual([expect.stringContaining(instead)])
  })

  it.each([
    ['apps/console/src/kit/form/FormDialog.tsx', modal],
    ['apps/console/src/app/shell/theme/ThemeDrawer.tsx', "import Drawer from 'antd/es/drawer'"],
    ['apps/console/src/rider/new/NewDialog.test.tsx', modal],
    ['apps/server/src/rider/new/handlers.ts', modal],
    ['apps/console/src/rider/new/NewDialog.tsx', "import { FormDialog } from '#kit/form/FormDialog.tsx'"],
  ])('%s may: %s', (path, text) => {
    expect(whyOf(path, text)).toEqual([])
  })

  it('names the line', () => {
    expect(formFaults({ path: 'apps/console/src/rider/X.tsx', text: `\n\n${modal}` })).toMatchObject([{ line: 3 }])
  })

  it('keeps no exception that no file needs', () => {
    const path = 'apps/console/src/rider/detail/Reveal.tsx'
    const isNamed = (text) => staleFormExceptions([{ path, text }]).some((fault) => fault.includes('Reveal.tsx'))
    expect(isNamed(modal)).toBe(false)
    expect(isNamed("import { FormDialog } from '#kit/form/FormDialog.tsx'")).toBe(true)
  })
})
