import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState, type ReactElement } from 'react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { permissionTree } from '@saddle/contract/permissions.ts'
import { PermissionTree } from './PermissionTree.tsx'

const rows = permissionTree
  .filter((row) => row.code !== 'all')
  .map(({ code, title, parent }) => ({ code, title, parent, grantable: code !== '0305' }))

function Tree(): ReactElement {
  const [held, setHeld] = useState<ReadonlySet<string>>(new Set())
  return (
    <>
      <PermissionTree rows={rows} held={held} onChange={setHeld} />
      <output aria-label="held">{[...held].toSorted().join(' ')}</output>
    </>
  )
}

const box = (name: RegExp): HTMLInputElement => screen.getByRole<HTMLInputElement>('checkbox', { name })
const held = (): string => screen.getByLabelText('held').textContent
const press = (key: string): void => void fireEvent.keyDown(document.activeElement ?? document.body, { key })

afterEach(cleanup)

describe('a tree that is edited', () => {
  beforeEach(() => void render(<Tree />))

  test('ticking an action takes page and group along, and the group is mixed', () => {
    fireEvent.click(box(/远程开关锁/))
    expect(held()).toBe('03 0301 030101')
    expect(box(/车辆监控/)).toMatchObject({ checked: false, indeterminate: true })
    expect(box(/运营地图/)).toMatchObject({ checked: true, indeterminate: false })
    expect(screen.getByText(`已选 3 / ${rows.length} 项`)).toBeTruthy()
  })

  test('a permission that one does not hold says so and stays as it is', () => {
    expect(screen.getByText('您没有此权限').closest('li')?.textContent).toContain('设备监控')
    fireEvent.click(box(/设备监控/))
    fireEvent.click(box(/车辆监控/))
    expect(held().split(' ')).not.toContain('0305')
    expect(held().split(' ')).toContain('0302')
  })

  test('the arrow keys walk and fold', () => {
    box(/车辆监控/).focus()
    press('ArrowDown')
    expect(document.activeElement).toBe(box(/运营地图/))
    press('ArrowLeft')
    expect(screen.queryByRole('checkbox', { name: /远程开关锁/ })).toBeNull()
    press('ArrowRight')
    press('ArrowRight')
    expect(document.activeElement).toBe(box(/远程开关锁/))
    press('ArrowLeft')
    expect(document.activeElement).toBe(box(/运营地图/))
    press('End')
    expect(document.activeElement).toBe(box(/账户管理/))
    press('Home')
    expect(document.activeElement).toBe(box(/切换加盟商/))
  })

  test('searching shows what fits with what is above it, also where that is folded', () => {
    fireEvent.click(screen.getByRole('button', { name: '全部收起' }))
    expect(screen.queryByRole('checkbox', { name: /运营地图/ })).toBeNull()
    const search = screen.getByRole('searchbox')
    fireEvent.change(search, { target: { value: '远程' } })
    expect(screen.getAllByRole('checkbox')).toHaveLength(3)
    fireEvent.change(search, { target: { value: '没有这个' } })
    expect(screen.getByText('没有匹配的权限')).toBeTruthy()
  })
})

test('a tree that is only read changes nothing', () => {
  render(<PermissionTree rows={rows} held={new Set(['02'])} />)
  fireEvent.click(box(/概览/))
  expect(box(/概览/).checked).toBe(true)
  expect(screen.queryByText('您没有此权限')).toBeNull()
})
