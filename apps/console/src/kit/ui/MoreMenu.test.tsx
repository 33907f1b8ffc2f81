import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { overridePermissions } from '#kit/session/permissions.ts'
import { MoreMenu } from './MoreMenu.tsx'

afterEach(cleanup)

test('one button opens what else can be done; what is not permitted is not there, what cannot be done says why', async () => {
  overridePermissions(['03'])
  const run = vi.fn<() => void>()
  const openRow = vi.fn<() => void>()
  render(
    <table>
      <tbody>
        <tr onClick={openRow}>
          <td>
            <MoreMenu
              label="周可"
              actions={[
                { key: 'edit', label: '编辑', run },
                { key: 'stop', label: '停用', run, refusal: '您不能停用自己' },
                { key: 'delete', label: '删除', run, permission: '99', isDanger: true },
              ]}
            />
          </td>
        </tr>
      </tbody>
    </table>,
  )
  fireEvent.click(screen.getByRole('button', { name: '周可：更多操作' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['编辑', '停用您不能停用自己'])
  expect(items[1]?.getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(items[0]!)
  expect(run).toHaveBeenCalledOnce()
  expect(openRow).not.toHaveBeenCalled()
})

test('nothing is shown where nothing can be done', () => {
  overridePermissions([])
  const { container } = render(
    <MoreMenu label="周可" actions={[{ key: 'delete', label: '删除', run: () => {}, permission: '99' }]} />,
  )
  expect(container.textContent).toBe('')
})
