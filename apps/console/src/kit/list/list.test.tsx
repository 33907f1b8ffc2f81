import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider, useSearchParams } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '@saddle/contract/errors.ts'
import { pageSizes } from '@saddle/contract/list.ts'
import {
  certificateEndpoints,
  certificateFields,
  certificateKindLabels,
  certificateList,
  certificateStateLabels,
  type ListedCertificate,
} from '@saddle/contract/rider/certificates.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { clearToasts, currentToasts, notify } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { listOf } from './declare.ts'
import { DetailPanel } from './DetailPanel.tsx'
import { amount, days, keyword, many } from './filters/specs.tsx'
import { ListPage } from './ListPage.tsx'
import { ListTrail } from './ListTrail.tsx'
import { usePanelKeys } from './pageKeys.ts'
import { forgetPreferences } from './preferences.ts'
import { forgetQuestions } from './question.ts'
import { forgetTrails } from './trail.ts'
import { useList } from './useList.ts'

// Chunks are loaded on the way; the bound only ends what hangs.
configure({ asyncUtilTimeout: 15_000 })

const declaration = listOf({
  list: certificateList,
  call: certificateEndpoints.listCertificates,
  file: certificateEndpoints.exportCertificates,
  fields: certificateFields,
  usual: { states: ['waiting'] },
})

interface Question {
  readonly filter: Readonly<Record<string, unknown>>
  readonly sort: string
  readonly direction: string
  readonly cursor?: string
  readonly pageSize: number
}

const rowOf = (id: number): ListedCertificate => ({
  id,
  riderId: 1_000 + id,
  kind: 'student',
  organisation: `学校 ${id}`,
  photos: 0,
  submittedAt: Date.UTC(2026, 10, 20, 4, 60 - id),
  state: 'waiting',
  expiresAt: null,
  reason: '',
  decidedAt: null,
  decidedBy: null,
  company: '青禾出行',
  phone: `170****${String(id).padStart(4, '0')}`,
  name: '王*',
  certified: true,
})

let platform: FakePlatform
let rows: ListedCertificate[] = []
let failure: AppError | null = null
let isPhone = false
let hasRoom = true
let router: ReturnType<typeof createMemoryRouter>

const asked = (): Question[] =>
  platform.heard
    .filter(({ key }) => key === `GET ${certificateEndpoints.listCertificates.path}`)
    .map(({ input }) => input as Question)

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  rows = [1, 2, 3, 4, 5].map(rowOf)
  failure = null
  isPhone = false
  hasRoom = true
  forgetPreferences()
  forgetQuestions()
  forgetTrails()
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('< 640px') ? isPhone : hasRoom,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  platform.on(certificateEndpoints.listCertificates, (input) => {
    if (failure !== null) throw failure
    const { cursor, pageSize } = input as Question
    const from = Number(cursor ?? 0)
    const next = from + pageSize
    return {
      suc: true,
      data: {
        list: rows.slice(from, next),
        nextCursor: next < rows.length ? String(next) : null,
        count: cursor === undefined ? rows.length : null,
        isCountCut: false,
      },
    }
  })
})
afterEach(() => {
  cleanup()
  router.dispose()
  queryClient.clear()
  clearToasts()
  vi.unstubAllGlobals()
})

function Panel({ row, onDecide }: { readonly row: ListedCertificate; readonly onDecide: () => void }) {
  usePanelKeys([{ key: '1', label: '通过', run: onDecide }])
  return (
    <DetailPanel label="材料" title={row.organisation} foot={<button onClick={onDecide}>通过</button>}>
      <p>{row.phone}</p>
    </DetailPanel>
  )
}

interface PageProps {
  readonly layout?: 'queue'
  readonly hasPanel?: boolean
}

function Page({ layout, hasPanel = false }: PageProps): ReactNode {
  const list = useList(declaration)
  return (
    <ListPage
      list={list}
      title="认证"
      filters={[
        keyword('手机号', 'phone'),
        many('states', '状态', certificateStateLabels),
        many('kinds', '类型', certificateKindLabels),
        days('提交日期'),
      ]}
      columns={columns}
      empty="没有认证"
      selectable
      renderTools={(chosen) => <output aria-label="chosen">{chosen.map(({ id }) => id).join()}</output>}
      {...(layout && { layout })}
      {...(hasPanel
        ? {
            renderPanel: (row: ListedCertificate, { goOn }: { goOn: () => void }) => (
              <Panel key={row.id} row={row} onDecide={() => void decide(row.id).then(goOn)} />
            ),
          }
        : { toRow: (row: ListedCertificate) => `/detail?id=${row.id}` })}
    />
  )
}

const columns = () => ['organisation', 'kind', 'submittedAt', 'company', { key: 'reason', isOptional: true }] as const

/** What a decision does: the row leaves the list. */
async function decide(id: number): Promise<void> {
  rows = rows.filter((row) => row.id !== id)
  await queryClient.invalidateQueries()
}

function Detail(): ReactNode {
  const [params] = useSearchParams()
  const id = Number(params.get('id'))
  return (
    <>
      <h1>{`行 ${id}`}</h1>
      <ListTrail
        list={declaration}
        path="/user-manage/student-certificate"
        title="认证"
        isShown={(row) => row.id === id}
        toRow={(row) => `/detail?id=${row.id}`}
      />
    </>
  )
}

function show(props: PageProps = {}, entry = '/user-manage/student-certificate'): void {
  router = createMemoryRouter(
    [
      { path: '/user-manage/student-certificate', element: <Page {...props} /> },
      { path: '/detail', element: <Detail key="detail" /> },
      { path: '/other', element: <h1>别的</h1> },
    ],
    { initialEntries: [entry] },
  )
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

const rowElement = (id: number): Promise<HTMLElement> =>
  waitFor(() => {
    const found = document.querySelector<HTMLElement>(`[data-row-key="${id}"]`)
    if (found === null) throw new Error(`no row ${id}`)
    return found
  })
const hasRow = (id: number): boolean => document.querySelector(`[data-row-key="${id}"]`) !== null
const press = (key: string): boolean => fireEvent.keyDown(document.body, { key })
const filterButton = (name: RegExp): HTMLElement => screen.getByRole('button', { name })
const address = (): URLSearchParams => new URLSearchParams(router.state.location.search)

test('a filter keeps its name, says what is chosen, and one press takes everything back', async () => {
  show()
  await rowElement(1)
  expect(
    filterButton(/^状态： ?待审核$/)
      .closest('.filter')
      ?.getAttribute('data-usual'),
  ).toBe('true')
  expect(screen.queryByRole('button', { name: '清除' })).toBeNull()
  await userEvent.click(filterButton(/^类型$/))
  await userEvent.click(screen.getByRole('checkbox', { name: '学生' }))
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(filterButton(/^类型： ?学生$/))
  await userEvent.click(filterButton(/^状态：/))
  await userEvent.click(screen.getByRole('checkbox', { name: '已通过' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '已拒绝' }))
  expect(filterButton(/^状态： ?待审核 \+2$/)).toBeTruthy()
  await waitFor(() =>
    expect(asked().at(-1)?.filter).toEqual({ states: ['waiting', 'approved', 'refused'], kinds: ['student'] }),
  )
  await userEvent.click(screen.getByRole('button', { name: '清除' }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
  expect(filterButton(/^状态： ?待审核$/)).toBeTruthy()
  expect(filterButton(/^类型$/)).toBeTruthy()
})

test('a usual condition can be taken off, and the address says so', async () => {
  show()
  await rowElement(1)
  await userEvent.click(screen.getByRole('button', { name: '去掉“状态”' }))
  await waitFor(() => expect(asked().at(-1)?.filter).toEqual({}))
  expect(JSON.parse(address().get('filter') ?? '')).toEqual({ states: null })
})

test('a phone number is asked for and stays out of the address; who comes back by the menu finds the question again', async () => {
  show()
  await rowElement(1)
  await userEvent.type(screen.getByRole('searchbox', { name: '手机号' }), '17012345678{Enter}')
  await userEvent.click(screen.getByRole('button', { name: '提交时间' }))
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ filter: { phone: '17012345678' }, direction: 'asc' }))
  expect(router.state.location.search).toBe('?sort=submitted.asc')
  await act(() => router.navigate('/other'))
  await act(() => router.navigate('/user-manage/student-certificate'))
  await rowElement(1)
  expect(screen.getByRole<HTMLInputElement>('searchbox', { name: '手机号' }).value).toBe('17012345678')
  await waitFor(() => expect(router.state.location.search).toBe('?sort=submitted.asc'))
})

test('the range picker offers what is asked for most and says it as it was chosen', async () => {
  show()
  await rowElement(1)
  await userEvent.click(filterButton(/^提交日期$/))
  const usual = await screen.findByRole('list', { name: '常用时间范围' })
  expect(
    within(usual)
      .getAllByRole('button')
      .map((each) => each.textContent),
  ).toEqual(['今天', '昨天', '近 7 天', '近 30 天', '本月', '上月'])
  await userEvent.click(within(usual).getByRole('button', { name: '近 7 天' }))
  expect(filterButton(/^提交日期： ?近 7 天$/)).toBeTruthy()
  await waitFor(() => {
    const { filter } = asked().at(-1) as Question
    expect(Number(filter['to']) - Number(filter['from'])).toBe(7 * dayMs)
  })
})

test('an amount is typed as yuan, asked as cents, and a wrong one is told', async () => {
  const change = vi.fn()
  const spec = amount<{ from?: number; below?: number }>('金额', ['from', 'below'])
  router = createMemoryRouter([{ path: '/', element: spec.panel?.({ filter: {}, change, close: () => {} }) }])
  render(<RouterProvider router={router} />)
  const [least, most] = screen.getAllByRole('textbox')
  await userEvent.type(least as HTMLElement, '5')
  await userEvent.type(most as HTMLElement, '3')
  expect(screen.getByRole('alert').textContent).toBe('下限要小于上限')
  await userEvent.clear(most as HTMLElement)
  await userEvent.click(screen.getByRole('button', { name: '确定' }))
  expect(change).toHaveBeenCalledWith({ from: 500, below: undefined })
  expect(spec.words({ from: 500 })).toBe('≥ 5 元')
})

test('j, k and x move and select, Esc selects none, Enter opens the row', async () => {
  show()
  await rowElement(1)
  press('j')
  press('j')
  expect((await rowElement(2)).getAttribute('data-active')).toBe('true')
  press('x')
  press('k')
  press('x')
  expect(screen.getByLabelText('chosen').textContent).toBe('2,1')
  press('Escape')
  expect(screen.queryByLabelText('chosen')).toBeNull()
  press('Enter')
  await waitFor(() => expect(router.state.location.search).toBe('?id=1'))
})

test('the shift key selects all between two rows, and another question selects none', async () => {
  show()
  const box = async (id: number): Promise<HTMLElement> => within(await rowElement(id)).getByRole('checkbox')
  fireEvent.click(await box(2))
  fireEvent.click(await box(4), { shiftKey: true })
  expect(screen.getByLabelText('chosen').textContent).toBe('2,3,4')
  await userEvent.click(screen.getByRole('button', { name: '去掉“状态”' }))
  await waitFor(() => expect(screen.queryByLabelText('chosen')).toBeNull())
})

test('what is selected on another page is told of', async () => {
  rows = Array.from({ length: 60 }, (_, index) => rowOf(index + 1))
  show()
  fireEvent.click(within(await rowElement(1)).getByRole('checkbox'))
  fireEvent.click(screen.getByRole('button', { name: '下一页' }))
  await rowElement(51)
  await userEvent.click(screen.getByRole('button', { name: '1 条不在本页，查看' }))
  expect(within(screen.getByRole('dialog')).getByRole('listitem').textContent).toBe('1')
})

test('columns are chosen, ordered, pinned and kept for the person', async () => {
  show()
  await rowElement(1)
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.replace(/[↓↑↕]/, ''))
  expect(heads()).toEqual(['', '学校或单位', '认证类型', '提交时间', '加盟商'])
  await userEvent.click(screen.getByRole('button', { name: '列设置' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '认证类型' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '原因' }))
  await userEvent.click(screen.getByRole('button', { name: '上移“原因”' }))
  await userEvent.click(screen.getByRole('button', { name: '“提交时间”不固定，点按切换' }))
  expect(heads()).toEqual(['', '学校或单位', '提交时间', '原因', '加盟商'])
  cleanup()
  router.dispose()
  forgetPreferences()
  show()
  await rowElement(1)
  expect(heads()).toEqual(['', '学校或单位', '提交时间', '原因', '加盟商'])
  expect(screen.getByRole('columnheader', { name: /^提交时间/ }).getAttribute('data-edge')).toBe('start')
  await userEvent.click(screen.getByRole('button', { name: '列设置' }))
  await userEvent.click(screen.getByRole('button', { name: '恢复默认' }))
  expect(heads()).toEqual(['', '学校或单位', '认证类型', '提交时间', '加盟商'])
})

test('a view is saved, opened again and deleted with a way back', async () => {
  show()
  await rowElement(1)
  await userEvent.click(screen.getByRole('button', { name: '去掉“状态”' }))
  await userEvent.click(screen.getByRole('button', { name: '视图' }))
  await userEvent.type(screen.getByRole('textbox', { name: '视图名称' }), '全部认证{Enter}')
  await userEvent.click(screen.getByRole('button', { name: '清除' }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
  await userEvent.click(screen.getByRole('button', { name: '视图' }))
  await userEvent.click(screen.getByRole('button', { name: '全部认证' }))
  await waitFor(() => expect(asked().at(-1)?.filter).toEqual({}))
  await userEvent.click(screen.getByRole('button', { name: '全部认证' }))
  await userEvent.click(screen.getByRole('button', { name: '删除视图“全部认证”' }))
  act(() => currentToasts().at(-1)?.action?.run())
  expect(screen.getByRole('button', { name: '删除视图“全部认证”' })).toBeTruthy()
})

test('an export says how far it is and can be cancelled', async () => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  platform.on(certificateEndpoints.exportCertificates, async (input) => {
    const isFirst = (input as { cursor?: string }).cursor === undefined
    if (!isFirst) await held
    return { suc: true, data: { exportId: 'e', fileName: 'a.csv', text: 'a', rows: 3, nextCursor: 'more' } }
  })
  show()
  await rowElement(1)
  await userEvent.click(screen.getByRole('button', { name: '导出' }))
  expect(await screen.findByText(/已取 3 \/ 5 行/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '取消导出' }))
  release()
  await waitFor(() => expect(currentToasts().map(({ text }) => text)).toContain('已取消导出'))
  expect(await screen.findByRole('button', { name: '导出' })).toBeTruthy()
})

test('after a failure the rows stay, the failure is told once, and a retry mends it', async () => {
  show()
  await rowElement(1)
  failure = new AppError('server_error')
  await act(() => queryClient.invalidateQueries())
  expect(await screen.findByText(/刷新失败，以下内容可能不是最新/)).toBeTruthy()
  await rowElement(1)
  expect(currentToasts()).toEqual([])
  failure = null
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  await waitFor(() => expect(screen.queryByText(/刷新失败/)).toBeNull())
})

test('nothing is said truly: only set conditions can be cleared, and there are no pages of nothing', async () => {
  rows = []
  show()
  expect(await screen.findByText('没有认证')).toBeTruthy()
  expect(screen.queryByRole('navigation', { name: '翻页' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '查看全部' }))
  expect(await screen.findByText('没有符合条件的记录')).toBeTruthy()
  expect(screen.getByRole('button', { name: '清除条件' })).toBeTruthy()
})

test('the panel takes the focus, marks its row, closes on Esc, and after a decision shows the row after it', async () => {
  show({ hasPanel: true })
  fireEvent.click(await rowElement(3))
  const panel = await screen.findByRole('complementary', { name: '材料' })
  expect(document.activeElement).toBe(panel)
  expect((await rowElement(3)).getAttribute('data-opened')).toBe('true')
  press('1')
  await waitFor(() => expect(screen.getByRole('complementary').textContent).toContain('学校 4'))
  expect(hasRow(3)).toBe(false)
  press('Escape')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
})

test('a queue has something to decide in front of it, j shows the next, u takes back', async () => {
  show({ hasPanel: true, layout: 'queue' })
  expect((await screen.findByRole('complementary')).textContent).toContain('学校 1')
  press('j')
  expect(screen.getByRole('complementary').textContent).toContain('学校 2')
  const back = vi.fn()
  act(() => notify.success({ text: '已通过', action: { label: '撤回', run: back } }))
  press('u')
  expect(back).toHaveBeenCalledOnce()
  await userEvent.click(screen.getByRole('button', { name: '表格' }))
  expect(screen.getByRole('table', { name: '认证' })).toBeTruthy()
})

test('without room beside the list the panel is a sheet that keeps the focus and gives it back', async () => {
  hasRoom = false
  show({ hasPanel: true })
  fireEvent.click(await rowElement(2))
  const sheet = await screen.findByRole('dialog', { name: '材料' })
  expect(document.activeElement).toBe(sheet)
  fireEvent.keyDown(sheet, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('on a phone there are cards, filters behind one button, and more rows on demand', async () => {
  isPhone = true
  rows = Array.from({ length: pageSizes[1] + 10 }, (_, index) => rowOf(index + 1))
  show({ hasPanel: true })
  expect(within(await rowElement(1)).getAllByRole('definition').length).toBeLessThanOrEqual(4)
  expect(screen.queryByRole('table')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '加载更多' }))
  await rowElement(pageSizes[1] + 10)
  expect(screen.getByText('已到末尾')).toBeTruthy()
  expect(hasRow(1)).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: '筛选（1）' }))
  const sheet = screen.getByRole('dialog', { name: '筛选' })
  expect(within(sheet).getByRole('button', { name: `查看 ${rows.length} 条` })).toBeTruthy()
})

test('a detail page leads to the rows beside it, beyond the page that was read, and back to their place', async () => {
  rows = Array.from({ length: 60 }, (_, index) => rowOf(index + 1))
  show()
  fireEvent.click(await rowElement(50))
  expect(await screen.findByText('第 50 条')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '下一条' }))
  expect(await screen.findByText('第 51 条')).toBeTruthy()
  expect(screen.getByRole('heading').textContent).toBe('行 51')
  await userEvent.click(screen.getByRole('link', { name: '‹ 认证' }))
  await rowElement(51)
  expect(hasRow(50)).toBe(false)
  expect(screen.getByText(/第 2 页/)).toBeTruthy()
})
