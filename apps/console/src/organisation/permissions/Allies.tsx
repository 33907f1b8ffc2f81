import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import { phoneLength, phonePattern } from '@saddle/contract/constants.ts'
import { allyEndpoints, type Ally } from '@saddle/contract/organisation/people.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint, useEndpointMutation } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import { useLater } from '#kit/useLater.ts'

const pageSize = 20
const invalidates = [allyEndpoints.listAllies]

/** Franchisers, by phone number. */
export function Allies(): ReactNode {
  const [typed, setTyped] = useState('')
  const keyword = useLater(typed.trim())
  const [at, setAt] = useState({ of: keyword, page: 1 })
  const page = at.of === keyword ? at.page : 1
  const [isAdding, setAdding] = useState(false)
  const { data, error, isPlaceholderData, refetch } = useEndpoint(
    allyEndpoints.listAllies,
    { page, pageSize, ...(keyword !== '' && { keyword }) },
    { keepPrevious: true },
  )
  const found = data?.data
  const discard = useDiscard()
  return (
    <section className="page-card">
      <search className="org-bar" aria-label={t('筛选条件')}>
        <input
          type="search"
          className="org-search"
          value={typed}
          placeholder={t('姓名，或完整手机号')}
          aria-label={t('姓名，或完整手机号')}
          onChange={(event) => setTyped(event.target.value)}
        />
        <span className="org-gap" />
        <Button look="primary" onClick={() => setAdding(true)}>
          {t('登记加盟联系人')}
        </Button>
      </search>
      <DataTable<Ally>
        label={t('加盟联系人')}
        columns={columnsOf(discard)}
        rows={found?.list}
        rowKey={(row) => row.id}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        cardHead={phoneCell}
        empty={<Empty title={keyword === '' ? t('还没有登记加盟联系人') : t('没有符合条件的加盟联系人')} />}
      />
      <Pager
        page={page - 1}
        hasNext={found !== undefined && page * pageSize < found.count}
        count={found?.count ?? null}
        busy={isPlaceholderData}
        onPrevious={() => setAt({ of: keyword, page: page - 1 })}
        onNext={() => setAt({ of: keyword, page: page + 1 })}
      />
      {isAdding && <NewAlly onClose={() => setAdding(false)} />}
    </section>
  )
}

/** Deletes at once: the record is small and undoing writes it again. */
function useDiscard() {
  const add = useEndpointMutation(allyEndpoints.createAlly, { invalidates })
  const remove = useEndpointMutation(allyEndpoints.removeAlly, { invalidates })
  return ({ agentId, phone, name, note }: Ally) =>
    remove.mutate(
      { input: { agentId, phone } },
      {
        onSuccess: () =>
          notify.success({
            text: t('已删除加盟联系人“{{name}}”', { name }),
            action: { label: t('撤销'), run: () => add.mutate({ input: { agentId, phone, name, note } }) },
          }),
      },
    )
}

function phoneCell(row: Ally) {
  return <strong>{row.phone}</strong>
}

function columnsOf(discard: (row: Ally) => void): readonly Column<Ally>[] {
  return [
    { key: 'phone', title: t('手机号'), inHead: true, render: (row) => row.phone },
    { key: 'name', title: t('姓名'), render: (row) => row.name },
    { key: 'company', title: t('加盟商'), render: (row) => row.company },
    { key: 'note', title: t('备注'), render: (row) => <span className="org-soft">{row.note || '--'}</span> },
    {
      key: 'created',
      title: t('登记'),
      render: (row) => (
        <span className="org-soft">
          {dateTime(row.createdAt)} {row.createdBy}
        </span>
      ),
    },
    {
      key: 'acts',
      title: t('操作'),
      render: (row) => (
        <span className="org-acts">
          <button type="button" onClick={() => discard(row)}>
            {t('删除')}
          </button>
        </span>
      ),
    },
  ]
}

function NewAlly({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState({ phone: '', name: '', note: '' })
  const [isTried, setTried] = useState(false)
  const save = useEndpointMutation(allyEndpoints.createAlly, {
    invalidates,
    onSuccess: ({ data }) => {
      onClose()
      notify.success({ text: t('已登记加盟联系人“{{name}}”', { name: data.name }) })
    },
  })
  const isPhone = phonePattern.test(draft.phone)
  const isNamed = draft.name.trim() !== ''
  return (
    <Modal open title={t('登记加盟联系人')} width={420} footer={null} onCancel={onClose}>
      <form
        className="person-form"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (isPhone && isNamed && !save.isPending) save.mutate({ input: draft })
        }}
      >
        <label>
          {t('手机号')}
          <input
            className="org-search"
            type="tel"
            inputMode="numeric"
            maxLength={phoneLength}
            value={draft.phone}
            aria-invalid={isTried && !isPhone}
            onChange={(event) => setDraft({ ...draft, phone: event.target.value.replaceAll(/\D/g, '') })}
          />
          {isTried && !isPhone && <small role="alert">{t('手机号码格式不正确')}</small>}
        </label>
        <label>
          {t('姓名')}
          <input
            className="org-search"
            maxLength={40}
            value={draft.name}
            aria-invalid={isTried && !isNamed}
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          />
          {isTried && !isNamed && <small role="alert">{t('请填写姓名')}</small>}
        </label>
        <label>
          {t('备注（选填）')}
          <input
            className="org-search"
            maxLength={200}
            value={draft.note}
            onChange={(event) => setDraft({ ...draft, note: event.target.value })}
          />
        </label>
        <div className="org-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {t('登记加盟联系人')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
