import { useState, type FormEvent, type ReactNode } from 'react'
import { Link, useHref, useLocation } from 'react-router'
import {
  exportFieldPattern,
  exportFormatLabels,
  exportFormats,
  exportLeftOutMax,
  type ExportFormat,
} from '@saddle/contract/exported.ts'
import type { Field } from '@saddle/contract/list.ts'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Popover } from '#kit/ui/Popover.tsx'
import type { Filter, RowKey, SumsOfFilter } from './declare.ts'
import { savedViewsMax, useExportChoice, usePreferences } from './preferences.ts'
import { ColumnMenu } from './table/ColumnMenu.tsx'
import type { TableLayout } from './table/layout.ts'
import { exportCentrePath } from './useExport.ts'
import type { List } from './useList.ts'

interface Props<Row, F extends Filter> {
  readonly list: List<Row, F>
  /** Null if the list has no columns to choose. */
  readonly layout: TableLayout<Row> | null
  readonly rowName: ((row: Row) => string) | undefined
  readonly selectionTools: SelectionTools<Row> | undefined
  readonly findAll: (() => Promise<readonly RowKey[]>) | undefined
  readonly extra: ReactNode
  readonly isQueue: boolean
  readonly onLayout: (() => void) | undefined
}

type SelectionTools<Row> = (rows: readonly Row[], done: () => void, keys: readonly RowKey[]) => ReactNode

/** Totals, actions for the selected rows, and display options; always one line. */
export function ListTools<Row, F extends Filter>(props: Props<Row, F>): ReactNode {
  const { list, layout, rowName, selectionTools, findAll, extra, isQueue, onLayout } = props
  const hasSelection = list.selectedKeys.length > 0
  return (
    <div className="list-tools" data-selected={hasSelection}>
      {hasSelection ? (
        <Selection list={list} rowName={rowName} tools={selectionTools} />
      ) : (
        <>
          <p className="list-count" data-testid="list-count">
            {countWords(list)}
          </p>
          {findAll !== undefined && (list.total?.count ?? 0) > 0 && <SelectAll list={list} findAll={findAll} />}
        </>
      )}
      <span className="list-tools-end">
        {extra}
        {onLayout !== undefined && (
          <button type="button" className="list-tool" aria-pressed={isQueue} onClick={onLayout}>
            {isQueue ? t('表格') : t('逐条处理')}
          </button>
        )}
        {list.search !== null && <Views list={list} search={list.search} />}
        {layout !== null && <ColumnMenu layout={layout} />}
        <ExportTool list={list} layout={layout} />
      </span>
    </div>
  )
}

/** `1,204 条 · 3,311.50 元`: totals of all rows that match the filter, not only of this page. */
function countWords<Row, F extends Filter>({ total, sums, declaration }: List<Row, F>): string {
  if (total === null) return ''
  const count = sums === null || sums.isCut ? total.count : sums.rows
  const isCut = sums === null ? total.isCut : sums.isCut
  const words = isCut ? t('{{text}}+ 条', { text: number(count) }) : t('{{text}} 条', { text: number(count) })
  return [words, ...sumWords(sums, declaration.fields)].join(' · ')
}

function sumWords(sums: SumsOfFilter | null, fields: object): readonly string[] {
  const entries = Object.entries(sums?.sums ?? {})
  return entries.map(([name, cents]) => {
    const text = t('{{amount}} 元', { amount: money(cents) })
    if (entries.length === 1) return text
    const field = (fields as Readonly<Record<string, Field | undefined>>)[name]
    return `${t((typeof field === 'string' ? field : field?.title) ?? name)} ${text}`
  })
}

interface SelectionProps<Row, F extends Filter> {
  readonly list: List<Row, F>
  readonly rowName: ((row: Row) => string) | undefined
  readonly tools: SelectionTools<Row> | undefined
}

/** Read only on request, because it may be thousands of rows. */
function SelectAll<Row, F extends Filter>({
  list,
  findAll,
}: {
  readonly list: List<Row, F>
  readonly findAll: () => Promise<readonly RowKey[]>
}) {
  const [isBusy, setBusy] = useState(false)
  const select = async () => {
    setBusy(true)
    // The failure has already been reported.
    const keys = await findAll().catch(() => null)
    setBusy(false)
    if (keys !== null) list.choose(keys)
  }
  return (
    <button type="button" className="filter-link" disabled={isBusy} onClick={() => void select()}>
      {t('选中全部结果')}
    </button>
  )
}

function Selection<Row, F extends Filter>({ list, rowName, tools }: SelectionProps<Row, F>) {
  const { selected, selectedKeys, choose, keyOf, rows = [] } = list
  const here = new Set(rows.map(keyOf))
  const elsewhere = selected.filter((row) => !here.has(keyOf(row)))
  const unseen = selectedKeys.length - selected.length
  const count = elsewhere.length + unseen
  const done = () => choose([])
  return (
    <fieldset className="list-selection" aria-label={t('已选中的行')}>
      <b>{t('已选 {{count}} 条', { count: selectedKeys.length })}</b>
      {count > 0 && (
        <Popover
          label={t('不在本页的已选记录')}
          className="filter-link"
          face={t('{{count}} 条不在本页，查看', { count })}
        >
          {() => (
            <ul className="list-elsewhere">
              {elsewhere.map((row) => (
                <li key={keyOf(row)}>{rowName?.(row) ?? keyOf(row)}</li>
              ))}
              {unseen > 0 && <li>{t('另有 {{count}} 条还没有翻到', { count: unseen })}</li>}
            </ul>
          )}
        </Popover>
      )}
      {tools?.(selected, done, selectedKeys)}
      <button type="button" className="filter-link" onClick={done}>
        {t('取消选择')}
      </button>
    </fieldset>
  )
}

const viewNameMax = 20

/** Saved queries of this person; their links can be sent to anybody. */
function Views<Row, F extends Filter>({ list, search }: { readonly list: List<Row, F>; readonly search: string }) {
  const [{ views }, change] = usePreferences(list.declaration.name)
  const current = views.find((view) => view.search === search && search !== '')
  const face = (
    <>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M5 3h10v14l-5-3.5L5 17z" />
      </svg>
      <span>{current?.name ?? t('视图')}</span>
    </>
  )
  return (
    <Popover label={t('已保存的视图')} face={face} className="list-tool" isPressed={current !== undefined}>
      {(close) => (
        <div className="list-views">
          {views.length === 0 && <p>{t('把常用的筛选和排序保存下来，下次一步打开。')}</p>}
          <ul>
            {views.map((view) => (
              <li key={view.name}>
                <button
                  type="button"
                  aria-pressed={view === current}
                  onClick={() => {
                    list.ask(view.search)
                    close()
                  }}
                >
                  {view.name}
                </button>
                <CopyLink search={view.search} name={view.name} />
                <button
                  type="button"
                  aria-label={t('删除视图“{{name}}”', { name: view.name })}
                  onClick={() => {
                    change({ views: views.filter((other) => other !== view) })
                    notify.info({
                      text: t('已删除视图“{{name}}”', { name: view.name }),
                      action: { label: t('撤销'), run: () => change({ views }) },
                    })
                  }}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
          <SaveView
            taken={views.map(({ name }) => name)}
            isFull={views.length >= savedViewsMax}
            onSave={(name) => {
              change({ views: [...views.filter((view) => view.name !== name), { name, search }] })
              notify.success({ text: t('已保存视图“{{name}}”', { name }) })
              close()
            }}
          />
          <CopyLink search={search} />
        </div>
      )}
    </Popover>
  )
}

function CopyLink({ search, name }: { readonly search: string; readonly name?: string }) {
  const { pathname } = useLocation()
  const href = useHref({ pathname, search })
  const copy = async () => {
    const link = new URL(href, location.href).href
    try {
      await navigator.clipboard.writeText(link)
      notify.success({ text: t('已复制链接') })
    } catch {
      // Without HTTPS the browser does not allow copying: the link is shown to be copied by hand.
      notify.info({ title: t('请手动复制链接'), text: link })
    }
  }
  return (
    <button
      type="button"
      className={name === undefined ? 'filter-link' : undefined}
      aria-label={name === undefined ? undefined : t('复制视图“{{name}}”的链接', { name })}
      onClick={() => void copy()}
    >
      {name === undefined ? t('复制当前筛选的链接') : t('链接')}
    </button>
  )
}

interface SaveProps {
  readonly taken: readonly string[]
  readonly isFull: boolean
  readonly onSave: (name: string) => void
}

function SaveView({ taken, isFull, onSave }: SaveProps) {
  const [name, setName] = useState('')
  const trimmed = name.trim()
  if (isFull) return <p>{t('最多保存 {{count}} 个视图', { count: savedViewsMax })}</p>
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (trimmed !== '') onSave(trimmed)
  }
  return (
    <form onSubmit={submit}>
      <input
        className="text-input"
        value={name}
        maxLength={viewNameMax}
        aria-label={t('视图名称')}
        placeholder={t('给当前筛选起个名字')}
        onChange={(event) => setName(event.target.value)}
      />
      <button type="submit" className="filter-link" disabled={trimmed === ''}>
        {taken.includes(trimmed) ? t('覆盖') : t('保存')}
      </button>
    </form>
  )
}

interface ExportProps<Row, F extends Filter> {
  readonly list: List<Row, F>
  readonly layout: TableLayout<Row> | null
}

/** Exports the whole result as a file in the format that was chosen last; the choices stand beside it. */
function ExportTool<Row, F extends Filter>({ list: { file }, layout }: ExportProps<Row, F>) {
  const [choice, choose] = useExportChoice()
  if (file === null) return null
  const hidden = (layout?.choices ?? [])
    .filter(({ isVisible, key }) => !isVisible && exportFieldPattern.test(key))
    .map(({ key }) => key)
  const begin = (format: ExportFormat): void =>
    file.begin({ format, leftOut: choice.isAsShown ? hidden.slice(0, exportLeftOutMax) : [] })
  return (
    <span className="list-export">
      <button type="button" className="list-tool" disabled={file.isBusy} onClick={() => begin(choice.format)}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M10 3v9.5M6 9l4 4 4-4M4 16.5h12" />
        </svg>
        <span>{file.isBusy ? t('正在导出') : t('导出')}</span>
      </button>
      <Popover label={t('导出方式')} buttonLabel={t('导出方式')} className="list-tool list-export-more" face="▾">
        {(close) => (
          <div className="list-export-choices">
            {exportFormats.map((format) => (
              <button
                key={format}
                type="button"
                aria-pressed={format === choice.format}
                onClick={() => {
                  choose({ ...choice, format })
                  begin(format)
                  close()
                }}
              >
                {t('导出 {{format}}', { format: exportFormatLabels[format] })}
              </button>
            ))}
            <label>
              <input
                type="checkbox"
                checked={choice.isAsShown}
                onChange={(event) => choose({ ...choice, isAsShown: event.target.checked })}
              />
              {t('不含已隐藏的列')}
            </label>
            <p>{t('按当前筛选和排序导出全部结果。数据较多时在后台生成，完成后提醒您下载。')}</p>
            <Link to={exportCentrePath}>{t('导出中心')}</Link>
          </div>
        )}
      </Popover>
    </span>
  )
}
