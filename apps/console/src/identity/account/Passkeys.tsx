import { useState, type FormEvent, type ReactNode } from 'react'
import { passkeyEndpoints, passkeysPerOperatorMax } from '@saddle/contract/identity/passkeys.ts'
import { isApiError, wordsOf, type AnswerOf } from '#kit/api/client.ts'
import { serverNow } from '#kit/clock.ts'
import { Form } from '#kit/form/Form.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { dateTime, relativeTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Field } from '#kit/plain/Field.tsx'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'

type Passkey = AnswerOf<typeof passkeyEndpoints.listPasskeys>['data']['list'][number]
type Editing = { readonly kind: 'add' } | { readonly kind: 'rename'; readonly passkey: Passkey }

const nameMax = 40

/** The user's own passkeys. */
export function Passkeys(): ReactNode {
  const { data, error, refetch } = useEndpoint(passkeyEndpoints.listPasskeys, {})
  const [editing, setEditing] = useState<Editing | null>(null)
  const list = data?.data.list
  const again = (): void => void refetch()
  const done = (): void => {
    setEditing(null)
    again()
  }
  return (
    <section className="page-card account-card" aria-labelledby="account-passkeys">
      <header>
        <h2 id="account-passkeys">{t('通行密钥')}</h2>
        {list !== undefined && (
          <span className="account-state" data-on={list.length > 0}>
            {list.length > 0 ? t('{{count}} 个', { count: list.length }) : t('未添加')}
          </span>
        )}
      </header>
      <p className="account-quiet">{t('用指纹、面容或设备密码登录，收不到短信验证码时也能进入。')}</p>
      {list === undefined && (error === null ? <Loading /> : <ErrorState error={error} onRetry={again} />)}
      {list !== undefined && list.length > 0 && (
        <List list={list} onRename={(passkey) => setEditing({ kind: 'rename', passkey })} />
      )}
      {editing?.kind === 'add' && <Add onDone={done} onCancel={() => setEditing(null)} />}
      {editing?.kind === 'rename' && (
        <Rename key={editing.passkey.id} passkey={editing.passkey} onClose={() => setEditing(null)} />
      )}
      {editing === null && list !== undefined && list.length < passkeysPerOperatorMax && <Offer onAdd={setEditing} />}
    </section>
  )
}

function Offer({ onAdd }: { readonly onAdd: (editing: Editing) => void }): ReactNode {
  if (!('PublicKeyCredential' in globalThis)) {
    return <p className="account-quiet">{t('当前浏览器不支持通行密钥。')}</p>
  }
  return <Button onClick={() => onAdd({ kind: 'add' })}>{t('添加通行密钥')}</Button>
}

interface ListProps {
  readonly list: readonly Passkey[]
  readonly onRename: (passkey: Passkey) => void
}

function List({ list, onRename }: ListProps): ReactNode {
  const [removing, setRemoving] = useState<Passkey | null>(null)
  return (
    <>
      <ul className="account-lines">
        {list.map((passkey) => (
          <li key={passkey.id}>
            <div>
              <b>{passkey.name}</b>
              <small>{factsOf(passkey).join(' · ')}</small>
            </div>
            <Button
              look="quiet"
              aria-label={t('重命名通行密钥“{{name}}”', { name: passkey.name })}
              onClick={() => onRename(passkey)}
            >
              {t('重命名')}
            </Button>
            <Button
              look="quiet"
              aria-label={t('删除通行密钥“{{name}}”', { name: passkey.name })}
              onClick={() => setRemoving(passkey)}
            >
              {t('删除')}
            </Button>
          </li>
        ))}
      </ul>
      {removing !== null && <Removal passkey={removing} onClose={() => setRemoving(null)} />}
    </>
  )
}

const factsOf = ({ createdAt, lastUsedAt, synced }: Passkey): string[] => [
  t('添加于 {{time}}', { time: dateTime(createdAt) }),
  lastUsedAt === null ? t('尚未使用') : t('上次使用 {{time}}', { time: relativeTime(lastUsedAt, serverNow()) }),
  ...(synced ? [t('已同步到其他设备')] : []),
]

interface FormProps {
  readonly passkey: Passkey
  readonly onClose: () => void
}

const { listPasskeys, renamePasskey, removePasskey } = passkeyEndpoints
const stale = [listPasskeys]

function Removal({ passkey: { id, name }, onClose }: FormProps): ReactNode {
  return (
    <FormDialog
      title={t('删除通行密钥“{{name}}”', { name })}
      call={removePasskey}
      about={id}
      fields={{}}
      input={() => ({ id })}
      submit={t('删除')}
      stale={stale}
      done={() => t('通行密钥已删除')}
      onClose={onClose}
    >
      <p>{t('删除后不能再用它登录；设备里保存的密钥可在设备的设置中一并删除。')}</p>
    </FormDialog>
  )
}

function Rename({ passkey: { id, name }, onClose }: FormProps): ReactNode {
  return (
    <Form
      call={renamePasskey}
      about={id}
      fields={{ name: text({ label: t('通行密钥名称'), initial: name }) }}
      input={(values) => ({ id, ...values })}
      submit={t('保存名称')}
      stale={stale}
      onClose={onClose}
    />
  )
}

interface AddProps {
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** No form of one call: between the question and the answer the browser asks the person. */
function Add({ onDone, onCancel }: AddProps): ReactNode {
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    if (name.trim() === '') {
      setFault(t('请输入名称'))
      return
    }
    setBusy(true)
    try {
      // WebAuthn's own code is fetched when it is asked for.
      const { addPasskey } = await import('./addPasskey.ts')
      if (!(await addPasskey(name.trim()))) return
      notify.success({ text: t('通行密钥已添加') })
      onDone()
    } catch (error) {
      setFault(isApiError(error) ? wordsOf(error) : error instanceof Error ? error.message : t('登录异常'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className="factor" noValidate onSubmit={(event) => void send(event)}>
      <Field
        label={t('通行密钥名称')}
        error={fault}
        type="text"
        autoComplete="off"
        placeholder={t('例如：办公室的电脑')}
        maxLength={nameMax}
        value={name}
        onChange={(event) => {
          setName(event.target.value)
          setFault(null)
        }}
      />
      <div className="factor-actions">
        <Button type="submit" look="primary" busy={busy}>
          {t('在此设备上创建')}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {t('取消')}
        </Button>
      </div>
    </form>
  )
}
