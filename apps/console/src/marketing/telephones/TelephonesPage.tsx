import { useState, type ReactNode } from 'react'
import {
  telephoneEndpoints,
  telephoneFields,
  telephoneHolidaysMax,
  telephoneList,
  telephoneStateLabels,
  type Holiday,
  type TelephoneContent,
  type TelephoneLine,
} from '@saddle/contract/marketing/telephones.ts'
import { useAction } from '#kit/action/useAction.ts'
import { FormDialog, FormDrawer } from '#kit/form/FormDialog.tsx'
import { longText } from '#kit/form/textFields.tsx'
import { areasBrief, useAreaNames, type AreaNames } from '#kit/areaNames.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { areas, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { CompanyChoice, useCompany } from '../help/CompanyChoice.tsx'
import {
  contentOfLine,
  spanText,
  staleTelephones,
  telephoneContentOf,
  telephoneFormFields,
} from './telephoneFields.tsx'
import { Versions } from './Versions.tsx'
import { WeekStrip } from './WeekStrip.tsx'
import './telephones.css'

const lines = listOf({
  list: telephoneList,
  call: telephoneEndpoints.listTelephones,
  file: telephoneEndpoints.exportTelephones,
  fields: telephoneFields,
})

/** What is open: a line to change, a line to begin a new one with, a new one, the holidays. */
type Opened = TelephoneLine | { readonly copyOf: TelephoneLine } | 'new' | 'holidays' | null

/** Telephone lines by area and hour, and what riders see. */
export function TelephonesPage({ tabs }: { tabs: ReactNode }): ReactNode {
  const list = useList(lines, { isInside: true })
  const names = useAreaNames()
  const [open, setOpen] = useState<Opened>(null)
  const close = () => setOpen(null)
  return (
    <>
      <ListPage
        list={list}
        title={t('帮助配置')}
        actions={
          <span className="content-tabs">
            <Button onClick={() => setOpen('holidays')}>{t('节假日')}</Button>
            <Button look="primary" onClick={() => setOpen('new')}>
              {t('新增电话')}
            </Button>
          </span>
        }
        above={
          <>
            {tabs}
            <WeekStrip />
          </>
        }
        filters={[many('states', t('状态'), telephoneStateLabels), areas('areaIds')]}
        columns={() => columns(names, setOpen)}
        rowName={({ label }) => label}
        empty={t('还没有客服电话')}
        onOpen={setOpen}
      />
      {open === 'new' && <NewLine of={null} onClose={close} />}
      {open === 'holidays' && <Holidays onClose={close} />}
      {open !== null &&
        typeof open === 'object' &&
        ('copyOf' in open ? (
          <NewLine of={open.copyOf} onClose={close} />
        ) : (
          <ChangeLine key={open.id} line={open} names={names} onClose={close} />
        ))}
    </>
  )
}

const columns = (names: AreaNames, onOpen: (what: Opened) => void): readonly ColumnSpec<TelephoneLine>[] => [
  { key: 'label', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={state === 'on' ? 'good' : 'off'}>{t(telephoneStateLabels[state])}</Mark>,
  },
  'number',
  'priority',
  {
    key: 'spans',
    title: t('接听时段'),
    card: 'wide',
    render: ({ spans, isClosedOnHolidays }) => (
      <span>
        {spans.map(spanText).join(t('；'))}
        {isClosedOnHolidays && <small> {t('节假日休息')}</small>}
      </span>
    ),
  },
  {
    key: 'areaIds',
    title: t('服务区'),
    render: ({ areaIds }) => areasBrief(areaIds, names),
  },
  { key: 'labelEn', isOptional: true },
  { key: 'company', card: 'none' },
  { key: 'changedAt', isOptional: true },
  { key: 'changedBy', isOptional: true },
  {
    key: 'acts',
    title: t('操作'),
    render: (line) => (
      <span className="content-tabs">
        <Button
          onClick={(event) => {
            event.stopPropagation()
            onOpen({ copyOf: line })
          }}
        >
          {t('复制')}
        </Button>
        <Switch line={line} />
      </span>
    ),
  },
]

function Switch({ line }: { line: TelephoneLine }) {
  const { id, version, state } = line
  const content = contentOfLine(line)
  const next = state === 'on' ? 'off' : 'on'
  const save = useAction(telephoneEndpoints.saveTelephone, {
    stale: staleTelephones,
    done: () => (next === 'on' ? t('已启用') : t('已停用，骑行者看不到')),
    undo: ({ data }) => ({ id, version: data.version, content }),
  })
  return (
    <Button
      busy={save.isBusy}
      onClick={(event) => {
        event.stopPropagation()
        save.send({ id, version, content: { ...content, state: next } })
      }}
    >
      {next === 'on' ? t('启用') : t('停用')}
    </Button>
  )
}

function NewLine({ of, onClose }: { of: TelephoneLine | null; onClose: () => void }) {
  const company = useCompany()
  const { agentId, areas: offered } = company
  if (agentId === null) return null
  return (
    <FormDrawer
      key={agentId}
      widthPx={640}
      title={t('新增电话')}
      call={telephoneEndpoints.saveTelephone}
      about={of === null ? `new-${agentId}` : `copy-${of.id}-${agentId}`}
      fields={telephoneFormFields(of === null ? null : copyOf(of, agentId), offered)}
      input={(values) => ({ agentId, content: telephoneContentOf(values) })}
      submit={t('保存，立即生效')}
      stale={staleTelephones}
      done={() => t('已新增电话')}
      onClose={onClose}
    >
      <CompanyChoice {...company} />
    </FormDrawer>
  )
}

/** Content to begin a new line with. Areas of another company stay behind. */
const copyOf = (line: TelephoneLine, agentId: number): TelephoneContent => {
  const content = contentOfLine(line)
  return line.agentId === agentId ? content : { ...content, areaIds: [] }
}

interface ChangeProps {
  readonly line: TelephoneLine
  readonly names: AreaNames
  readonly onClose: () => void
}

function ChangeLine({ line, names, onClose }: ChangeProps) {
  const { id, version, agentId } = line
  const { areasOf } = useCompany()
  const content = contentOfLine(line)
  return (
    <FormDrawer
      widthPx={640}
      title={t('修改电话')}
      call={telephoneEndpoints.saveTelephone}
      about={`${id}-${version}`}
      fields={telephoneFormFields(content, areasOf(agentId))}
      input={(values) => ({ id, version, content: telephoneContentOf(values) })}
      submit={t('保存，立即生效')}
      stale={staleTelephones}
      done={() => t('已保存，立即生效')}
      undo={({ data }) => ({ id, version: data.version, content })}
      onClose={onClose}
    >
      <Versions id={id} names={names} />
    </FormDrawer>
  )
}

const lineOf = ({ day, name }: Holiday): string => `${day} ${name}`

/** `2027-02-06 春节` on each line. */
export function holidaysOf(typed: string): { readonly value: Holiday[] } | { readonly fault: string } {
  const found: Holiday[] = []
  for (const line of typed.split('\n').filter((one) => one.trim() !== '')) {
    const [, day, name] = /^(\d{4}-\d{2}-\d{2})\s+(\S.{0,19})$/.exec(line.trim()) ?? []
    if (day === undefined || name === undefined || Number.isNaN(Date.parse(day))) {
      return { fault: t('“{{line}}”应为日期加名称，如 2027-02-06 春节', { line: line.trim() }) }
    }
    found.push({ day, name })
  }
  return found.length > telephoneHolidaysMax
    ? { fault: t('最多 {{count}} 天', { count: telephoneHolidaysMax }) }
    : { value: found }
}

function Holidays({ onClose }: { onClose: () => void }) {
  const company = useCompany()
  const agentId = company.agentId ?? 0
  const { data } = useEndpoint(telephoneEndpoints.listHolidays, { agentId }, { enabled: company.agentId !== null })
  if (data === undefined) return null
  return (
    <FormDialog
      key={agentId}
      title={t('节假日')}
      call={telephoneEndpoints.saveHolidays}
      about={agentId}
      fields={{
        holidays: {
          ...longText({
            label: t('节假日'),
            rows: 10,
            hint: t('每行一天，如 2027-02-06 春节；勾选“节假日休息”的电话当天不显示'),
            initial: data.data.list.map(lineOf).join('\n'),
          }),
          read: holidaysOf,
        },
      }}
      input={({ holidays }) => ({ agentId, holidays })}
      submit={t('保存节假日')}
      stale={[telephoneEndpoints.listHolidays]}
      done={({ data: { count } }) => t('已保存 {{count}} 天节假日', { count })}
      undo={({ data: { before } }) => ({ agentId, holidays: before })}
      onClose={onClose}
    >
      <CompanyChoice {...company} />
    </FormDialog>
  )
}
