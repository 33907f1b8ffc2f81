import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider, useSearchParams } from 'react-router'
import { afterEach, beforeEach, vi } from 'vitest'
import type { AppError } from '@saddle/contract/errors.ts'
import {
  certificateEndpoints,
  certificateFields,
  certificateKindLabels,
  certificateList,
  certificateStateLabels,
  type ListedCertificate,
} from '@saddle/contract/rider/certificates.ts'
import { clearToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { listOf } from './declare.ts'
import { DetailPanel } from './DetailPanel.tsx'
import { days, keyword, many } from './filters/specs.tsx'
import { ListPage } from './ListPage.tsx'
import { ListTrail } from './ListTrail.tsx'
import { usePanelKeys } from './pageKeys.ts'
import { forgetPreferences } from './preferences.ts'
import { forgetQuestions } from './question.ts'
import { forgetTrails } from './trail.ts'
import { useList } from './useList.ts'

// Chunks are loaded during the tests; the timeout only stops a test that hangs.

const declaration = listOf({
  list: certificateList,
  call: certificateEndpoints.listCertificates,
  file: certificateEndpoints.exportCertificates,
  fields: certificateFields,
  usual: { states: ['waiting'] },
})

export interface Question {
  readonly filter: Readonly<Record<string, unknown>>
  readonly sort: string
  readonly direction: string
  readonly cursor?: string
  readonly pageSize: number
}

export const rowOf = (id: number): ListedCertificate => ({
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

/** The platform's answers and the screen; each test starts with five rows on a wide screen. */
export const fixture = {
  platform: undefined as unknown as FakePlatform,
  rows: [] as ListedCertificate[],
  failure: null as AppError | null,
  isPhone: false,
  hasRoom: true,
  router: undefined as unknown as ReturnType<typeof createMemoryRouter>,
}

export const asked = (): Question[] =>
  fixture.platform.heard
    .filter(({ key }) => key === `GET ${certificateEndpoints.listCertificates.path}`)
    .map(({ input }) => input as Question)

/** Call it once in each test file. */
export function setUpList(): void {
  beforeEach(async () => {
    fixture.platform = await withPlatform()
    logIn(fixture.platform)
    overridePermissions(certificateEndpoints.exportCertificates.permission)
    fixture.rows = [1, 2, 3, 4, 5].map(rowOf)
    fixture.failure = null
    fixture.isPhone = false
    fixture.hasRoom = true
    forgetPreferences()
    forgetQuestions()
    forgetTrails()
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('< 640px') ? fixture.isPhone : fixture.hasRoom,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }))
    fixture.platform.on(certificateEndpoints.listCertificates, (input) => {
      if (fixture.failure !== null) throw fixture.failure
      const { cursor, pageSize } = input as Question
      const from = Number(cursor ?? 0)
      const next = from + pageSize
      return {
        suc: true,
        data: {
          list: fixture.rows.slice(from, next),
          nextCursor: next < fixture.rows.length ? String(next) : null,
          count: cursor === undefined ? fixture.rows.length : null,
          isCountCut: false,
        },
      }
    })
  })
  afterEach(() => {
    cleanup()
    fixture.router.dispose()
    queryClient.clear()
    clearToasts()
    vi.unstubAllGlobals()
  })
}

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

/** The effect of a decision: the row leaves the list. */
async function decide(id: number): Promise<void> {
  fixture.rows = fixture.rows.filter((row) => row.id !== id)
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

export function show(props: PageProps = {}, entry = '/user-manage/student-certificate'): void {
  fixture.router = createMemoryRouter(
    [
      { path: '/user-manage/student-certificate', element: <Page {...props} /> },
      { path: '/detail', element: <Detail key="detail" /> },
      { path: '/other', element: <h1>别的</h1> },
    ],
    { initialEntries: [entry] },
  )
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={fixture.router} />
    </QueryClientProvider>,
  )
}

export const rowElement = (id: number): Promise<HTMLElement> =>
  waitFor(() => {
    const found = document.querySelector<HTMLElement>(`[data-row-key="${id}"]`)
    if (found === null) throw new Error(`no row ${id}`)
    return found
  })
export const hasRow = (id: number): boolean => document.querySelector(`[data-row-key="${id}"]`) !== null
export const press = (key: string): boolean => fireEvent.keyDown(document.body, { key })
export const filterButton = (name: RegExp): HTMLElement => screen.getByRole('button', { name })
export const address = (): URLSearchParams => new URLSearchParams(fixture.router.state.location.search)
