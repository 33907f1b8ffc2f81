import { useState, type ReactNode } from 'react'
import { selfEndpoints } from '@saddle/contract/identity/self.ts'
import { useAction } from '#kit/action/useAction.ts'
import { serverNow } from '#kit/clock.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { dateTime, relativeTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import type { Own } from './own.ts'

const ending = {
  stale: [selfEndpoints.selfSettings],
  done: ({ data }: { readonly data: { readonly ended: number } }) =>
    t('已结束 {{count}} 个会话', { count: data.ended }),
}

/** The user's sessions, which can be ended here. */
export function Sessions({ sessions }: { readonly sessions: Own['sessions'] }): ReactNode {
  const [isEnding, setEnding] = useState(false)
  const end = useAction(selfEndpoints.endOwnSession, ending)
  const others = sessions.filter((session) => !session.isThis)
  return (
    <section className="page-card account-card" aria-labelledby="account-sessions">
      <header>
        <h2 id="account-sessions">{t('登录会话')}</h2>
        {others.length > 0 && (
          <Button look="quiet" onClick={() => setEnding(true)}>
            {t('结束其他全部会话')}
          </Button>
        )}
      </header>
      <ul className="account-lines">
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <b>
                {session.device}
                {session.isThis && <em>{t('当前会话')}</em>}
              </b>
              <small>
                {[
                  session.address,
                  loginKindLabel(session.loginKind),
                  t('登录于 {{time}}', { time: dateTime(session.createdAt) }),
                ].join(' · ')}
              </small>
            </div>
            <time title={dateTime(session.lastSeenAt)}>{relativeTime(session.lastSeenAt, serverNow())}</time>
            {!session.isThis && (
              <Button
                look="quiet"
                aria-label={t('结束会话：{{device}}', { device: session.device })}
                onClick={() => end.send({ id: session.id })}
              >
                {t('结束会话')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isEnding && <EndOthers count={others.length} onClose={() => setEnding(false)} />}
    </section>
  )
}

function EndOthers({ count, onClose }: { readonly count: number; readonly onClose: () => void }) {
  return (
    <FormDialog
      {...ending}
      title={t('结束其他全部会话')}
      call={selfEndpoints.endOwnSession}
      about="others"
      fields={{}}
      input={() => ({})}
      submit={t('结束 {{count}} 个会话', { count })}
      onClose={onClose}
    >
      <p>{t('在其他 {{count}} 处登录的页面会立即退出，当前页面不受影响。', { count })}</p>
    </FormDialog>
  )
}

function loginKindLabel(kind: string): string {
  if (kind === 'passkey') return t('通行密钥登录')
  return kind === 'quick' ? t('快捷登录') : t('短信登录')
}
