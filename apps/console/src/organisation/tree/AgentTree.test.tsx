import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { AgentNode } from '@saddle/contract/organisation/companies.ts'
import { AgentTree } from './AgentTree.tsx'

const node = (id: number, parentId: number | null, areas: number): AgentNode => ({
  id,
  parentId,
  company: `公司${id}`,
  state: 'enabled',
  devicePolicy: 'open',
  financeTotpFrom: null,
  figures: null,
  areaList: Array.from({ length: areas }, (_, index) => ({
    id: id * 1_000 + index,
    name: `服务区${id}-${index}`,
    state: index === 0 ? 'disabled' : 'enabled',
  })),
  createdAt: 0,
})
const nodes = [node(2, null, 0), ...Array.from({ length: 20 }, (_, index) => node(10 + index, 2, 100))]

it('keeps only the lines in sight in the document, opens what stands above the chosen one, and is walked by keys', async () => {
  const onSelect = vi.fn<(row: { key: string }) => void>()
  const props = { label: '树', nodes, onSelect }
  const { rerender } = render(<AgentTree {...props} selected={null} />)
  expect(screen.getAllByRole('treeitem')).toHaveLength(21)
  rerender(<AgentTree {...props} selected="a10005" />)
  const shown = screen.getAllByRole('treeitem')
  expect(shown.length).toBeLessThan(60)
  expect(screen.getByRole('treeitem', { selected: true }).textContent).toBe('服务区10-5')
  expect(screen.getByRole('treeitem', { name: /服务区10-0/ }).textContent).toContain('停用')
  const user = userEvent.setup()
  screen.getByRole('tree').focus()
  await user.keyboard('{ArrowDown}{Enter}')
  expect(onSelect.mock.lastCall?.[0].key).toBe('a10006')
  await user.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(screen.queryByText('服务区10-5')).toBeNull()
  await user.type(screen.getByRole('searchbox'), '服务区29-9')
  expect(screen.getAllByRole('treeitem').map((line) => line.textContent?.slice(0, 7))).toEqual([
    '公司2',
    '公司29',
    '服务区29-9',
    ...Array.from({ length: 10 }, () => '服务区29-9'),
  ])
})
