import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useEffect, useRef, useState, type ReactElement } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { TabPages } from './TabPages.tsx'
import type { Tab } from './rules.ts'

const map: Tab = { path: '/vehicle/operation-map', search: '?vehicle=SD1' }
const query: Tab = { path: '/vehicle/vehicle-query', search: '' }
const addRole: Tab = { path: '/permissions/add-role', search: '' }
const running = new Set<string>()

function Probe({ path }: { readonly path: string }): ReactElement {
  const [text, setText] = useState('')
  const { search } = useLocation()
  useEffect(() => {
    running.add(path)
    return () => void running.delete(path)
  }, [path])
  return (
    <p>
      <input aria-label={path} value={text} onChange={(event) => setText(event.target.value)} />
      <output aria-label={`${path} search`}>{search}</output>
    </p>
  )
}

function Frame({ list, active }: { readonly list: readonly Tab[]; readonly active: string }): ReactElement {
  const scroller = useRef<HTMLElement>(null)
  return (
    <MemoryRouter initialEntries={['/elsewhere?x=1']}>
      <main ref={scroller} data-testid="scroller">
        <TabPages list={list} active={active} scroller={scroller} renderPage={(path) => <Probe path={path} />} />
      </main>
    </MemoryRouter>
  )
}

const field = (tab: Tab): HTMLInputElement => screen.getByLabelText(tab.path)

afterEach(() => {
  cleanup()
  running.clear()
})

test('a hidden page keeps its state, its address and its scroll, and pauses its effects', () => {
  const view = render(<Frame list={[map]} active={map.path} />)
  fireEvent.change(field(map), { target: { value: '低电量' } })
  const scroller = screen.getByTestId('scroller')
  scroller.scrollTop = 240
  fireEvent.scroll(scroller)
  expect(running).toEqual(new Set([map.path]))

  view.rerender(<Frame list={[map, query]} active={query.path} />)
  expect(scroller.scrollTop).toBe(0)
  expect(running).toEqual(new Set([query.path]))
  expect(field(query).value).toBe('')

  view.rerender(<Frame list={[map, query]} active={map.path} />)
  expect(field(map).value).toBe('低电量')
  expect(screen.getByLabelText(`${map.path} search`).textContent).toBe('?vehicle=SD1')
  expect(scroller.scrollTop).toBe(240)
  expect(running).toEqual(new Set([map.path]))
})

test('a page that is not kept alive starts anew, and a closed one too', () => {
  const view = render(<Frame list={[map, addRole]} active={addRole.path} />)
  fireEvent.change(field(addRole), { target: { value: '巡检员' } })
  view.rerender(<Frame list={[map, addRole]} active={map.path} />)
  expect(screen.queryByLabelText(addRole.path)).toBeNull()
  view.rerender(<Frame list={[map, addRole]} active={addRole.path} />)
  expect(field(addRole).value).toBe('')

  act(() => view.rerender(<Frame list={[map]} active={map.path} />))
  fireEvent.change(field(map), { target: { value: '失联' } })
  view.rerender(<Frame list={[query]} active={query.path} />)
  view.rerender(<Frame list={[query, map]} active={map.path} />)
  expect(field(map).value).toBe('')
})
