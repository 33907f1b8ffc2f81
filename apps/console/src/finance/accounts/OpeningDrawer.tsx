import { useEffect, useState, type ReactNode } from 'react'
import { bankAccountEndpoints, openingStateLabels, type Opening } from '@saddle/contract/finance/accounts.ts'
import {
  bankAccountTypeLabels,
  bankAccountTypes,
  neededPapers,
  paperKindLabels,
  papersOf,
  type BankAccountType,
  type PaperKind,
} from '@saddle/contract/finance/openingDetails.ts'
import { useAction } from '#kit/action/useAction.ts'
import { call } from '#kit/api/client.ts'
import { Form } from '#kit/form/Form.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { select } from '#kit/form/choiceFields.tsx'
import { photos } from '#kit/form/otherFields.tsx'
import { text } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Sheet } from '#kit/ui/Sheet.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { staleAccounts } from './words.ts'
import './accounts.css'

interface Props {
  readonly agentId: number
  readonly company: string
  /** Companies whose papers may be copied; none where the caller manages no others. */
  readonly sources: readonly { readonly id: number; readonly company: string }[]
  readonly onClose: () => void
  /** The bank has opened the account. */
  readonly onOpened?: () => void
}

/** Facts, papers, submission: what the bank wants to open an account, and what it has said. */
export function OpeningDrawer({ agentId, company, sources, onClose, onOpened }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(
    bankAccountEndpoints.companyAccount,
    { agentId },
    { refetchIntervalMs: (answer) => (answer?.data.opening?.state === 'submitted' ? 2_000 : 10_000) },
  )
  const [isCopying, setCopying] = useState(false)
  const [isAnew, setAnew] = useState(false)
  const opening = data?.data.opening ?? null
  const isOpened = opening?.state === 'opened'
  useEffect(() => {
    if (isOpened) onOpened?.()
  }, [isOpened, onOpened])
  const isSettled = opening !== null && opening.state !== 'draft' && !(opening.state === 'refused' && isAnew)
  return (
    <Sheet
      label={t('“{{company}}”开户', { company })}
      title={<strong>{t('“{{company}}”开户', { company })}</strong>}
      onClose={onClose}
    >
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : isSettled ? (
        <Sent opening={opening} agentId={agentId} onAnew={() => setAnew(true)} />
      ) : (
        <>
          {sources.length > 0 && (
            <p>
              <Button onClick={() => setCopying(true)}>{t('从另一家公司复制资料')}</Button>
            </p>
          )}
          <Draft key={`${opening?.id ?? 0} ${opening?.madeAt ?? 0}`} opening={opening} agentId={agentId} />
        </>
      )}
      {isCopying && (
        <FormDialog
          title={t('复制开户资料')}
          call={bankAccountEndpoints.copyOpening}
          about={agentId}
          fields={{
            fromAgentId: select({
              label: t('来自'),
              options: sources.map(({ id, company: name }) => ({ value: id, label: name })),
            }),
          }}
          input={({ fromAgentId }) => ({ fromAgentId, agentId })}
          submit={t('复制为草稿')}
          stale={staleAccounts}
          done={() => t('资料已复制，请核对后提交')}
          onClose={() => setCopying(false)}
        >
          <p>{t('用于同一法人的公司；已填写的草稿会被替换。')}</p>
        </FormDialog>
      )}
    </Sheet>
  )
}

function Sent({ opening, agentId, onAnew }: { opening: Opening; agentId: number; onAnew: () => void }) {
  const { details, state, reason } = opening
  const isCompany = details.accountType === 'company'
  return (
    <>
      <Facts
        facts={[
          [t('进度'), t(openingStateLabels[state])],
          ...(reason === '' ? [] : [[t('原因'), reason] as const]),
          [t('账户类型'), t(bankAccountTypeLabels[details.accountType])],
          [t('户名'), details.name],
          ...(isCompany
            ? ([
                [t('统一社会信用代码'), details.creditCode],
                [t('法人'), details.legalPerson],
                [t('邮箱'), details.email],
              ] as const)
            : []),
          [t('手机号'), details.mobile],
          [t('填写人'), `${opening.madeBy} · ${dateTime(opening.madeAt)}`],
          [t('提交时间'), dateTime(opening.submittedAt)],
          [t('答复时间'), dateTime(opening.decidedAt)],
        ]}
      />
      <Papers opening={opening} agentId={agentId} />
      {state === 'submitted' && <output>{t('银行正在审核，结果会自动更新。')}</output>}
      {state === 'refused' && (
        <Button look="primary" onClick={onAnew}>
          {t('修改后重新申请')}
        </Button>
      )}
    </>
  )
}

function Papers({ opening, agentId }: { opening: Opening; agentId: number }) {
  return (
    <ul className="accounts-papers">
      {opening.papers.map((kind) => (
        <li key={kind}>
          <span>{t(paperKindLabels[kind])}</span>
          <PhotoStrip
            label={t(paperKindLabels[kind])}
            of={['bank_paper', `${opening.id} ${kind}`]}
            count={1}
            load={async (signal) =>
              (await call(bankAccountEndpoints.openingPaper, { agentId, kind }, { signal })).data.list
            }
          />
        </li>
      ))}
    </ul>
  )
}

const typeOptions = () => bankAccountTypes.map((value) => ({ value, label: t(bankAccountTypeLabels[value]) }))

function Draft({ opening, agentId }: { readonly opening: Opening | null; readonly agentId: number }) {
  const [accountType, setType] = useState<BankAccountType>(opening?.details.accountType ?? 'company')
  const isDraft = opening?.state === 'draft' && opening.details.accountType === accountType
  return (
    <>
      <fieldset className="accounts-types">
        <legend>{t('账户类型')}</legend>
        {typeOptions().map(({ value, label }) => (
          <label key={value}>
            <input type="radio" name="accountType" checked={accountType === value} onChange={() => setType(value)} />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      <h3>{t('第一步：填写资料')}</h3>
      {accountType === 'company' ? (
        <CompanyForm opening={opening} agentId={agentId} />
      ) : (
        <PersonForm opening={opening} agentId={agentId} />
      )}
      <h3>{t('第二步：上传材料')}</h3>
      {isDraft ? (
        <Upload opening={opening} agentId={agentId} accountType={accountType} />
      ) : (
        <p>{t('保存资料后上传。')}</p>
      )}
      <h3>{t('第三步：提交银行')}</h3>
      <Submit opening={isDraft ? opening : null} agentId={agentId} accountType={accountType} />
    </>
  )
}

interface FormProps {
  readonly opening: Opening | null
  readonly agentId: number
}

const saved = () => t('资料已保存')

function CompanyForm({ opening, agentId }: FormProps) {
  const known = opening?.details.accountType === 'company' ? opening.details : undefined
  // Of a refused application the numbers are hidden: they are typed again.
  const isWhole = opening?.state === 'draft'
  return (
    <Form
      call={bankAccountEndpoints.openAccount}
      about={`company ${agentId}`}
      fields={{
        name: text({ label: t('企业名称'), at: 'details.name', initial: known?.name ?? '' }),
        creditCode: text({ label: t('统一社会信用代码'), at: 'details.creditCode', initial: known?.creditCode ?? '' }),
        legalPerson: text({ label: t('法人姓名'), at: 'details.legalPerson', initial: known?.legalPerson ?? '' }),
        legalPersonId: {
          ...text({
            label: t('法人身份证号'),
            at: 'details.legalPersonId',
            initial: isWhole ? (known?.legalPersonId ?? '') : '',
          }),
          isSecret: true,
        },
        mobile: text({ label: t('手机号'), type: 'tel', at: 'details.mobile', initial: known?.mobile ?? '' }),
        email: text({ label: t('邮箱'), type: 'email', at: 'details.email', initial: known?.email ?? '' }),
      }}
      input={(values) => ({ agentId, details: { accountType: 'company' as const, ...values } })}
      submit={t('保存资料')}
      stale={staleAccounts}
      done={saved}
    />
  )
}

function PersonForm({ opening, agentId }: FormProps) {
  const known = opening?.details.accountType === 'person' ? opening.details : undefined
  const isWhole = opening?.state === 'draft'
  return (
    <Form
      call={bankAccountEndpoints.openAccount}
      about={`person ${agentId}`}
      fields={{
        name: text({ label: t('姓名'), at: 'details.name', initial: known?.name ?? '' }),
        identityNumber: {
          ...text({
            label: t('身份证号'),
            at: 'details.identityNumber',
            initial: isWhole ? (known?.identityNumber ?? '') : '',
          }),
          isSecret: true,
        },
        mobile: text({ label: t('手机号'), type: 'tel', at: 'details.mobile', initial: known?.mobile ?? '' }),
      }}
      input={(values) => ({ agentId, details: { accountType: 'person' as const, ...values } })}
      submit={t('保存资料')}
      stale={staleAccounts}
      done={saved}
    />
  )
}

function Upload({
  opening,
  agentId,
  accountType,
}: {
  opening: Opening
  agentId: number
  accountType: BankAccountType
}) {
  const [kind, setKind] = useState<PaperKind | null>(null)
  const endpoint =
    accountType === 'company' ? bankAccountEndpoints.uploadCompanyPaper : bankAccountEndpoints.uploadPersonPaper
  return (
    <>
      <ul className="accounts-papers">
        {papersOf[accountType].map((paper) => {
          const isThere = opening.papers.includes(paper)
          const isNeeded = neededPapers[accountType].includes(paper)
          return (
            <li key={paper}>
              <span>
                {t(paperKindLabels[paper])} <small>{isThere ? t('已上传') : isNeeded ? t('必需') : t('选填')}</small>
              </span>
              <Button onClick={() => setKind(paper)}>{isThere ? t('更换') : t('上传')}</Button>
            </li>
          )
        })}
      </ul>
      {kind !== null && (
        <FormDialog
          title={t('上传{{paper}}', { paper: t(paperKindLabels[kind]) })}
          call={endpoint}
          about={`${agentId} ${kind}`}
          fields={{ photo: photos({ label: t(paperKindLabels[kind]), max: 1 }) }}
          input={({ photo }) => ({ agentId, kind, photo: photo[0] ?? '' })}
          submit={t('上传')}
          stale={staleAccounts}
          done={() => t('材料已上传')}
          onClose={() => setKind(null)}
        />
      )}
    </>
  )
}

function Submit({
  opening,
  agentId,
  accountType,
}: {
  opening: Opening | null
  agentId: number
  accountType: BankAccountType
}) {
  const endpoint =
    accountType === 'company' ? bankAccountEndpoints.submitCompanyOpening : bankAccountEndpoints.submitPersonOpening
  const submit = useAction(endpoint, { stale: staleAccounts, done: () => t('已提交银行审核') })
  const missing = neededPapers[accountType].filter((kind) => opening?.papers.includes(kind) !== true)
  const reason =
    opening === null
      ? t('请先保存资料')
      : missing.length > 0
        ? t('还缺：{{papers}}', { papers: missing.map((kind) => t(paperKindLabels[kind])).join(t('、')) })
        : null
  return (
    <p className="form-choices">
      <Button look="primary" busy={submit.isBusy} disabled={reason !== null} onClick={() => submit.send({ agentId })}>
        {t('提交银行审核')}
      </Button>
      {reason !== null && <small>{reason}</small>}
    </p>
  )
}
