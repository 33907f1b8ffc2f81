import type { ReactNode } from 'react'
import App from 'antd/es/app'
import { selfEndpoints } from '@saddle/contract/identity/self.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime, relativeTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import type { Own } from './own.ts'

/** The user's sessions, which can be ended here. */
export function Sessions({ sessions }: { readonly sessions: Own['sessions'] }): ReactNode {
  const { modal } = App.useApp()
  const end = useEndpointMutation(selfEndpoints.endOwnSession, {
    invalidates: [selfEndpoints.selfSettings],
    onSuccess: ({ data }) => notify.success({ text: t('已结束 {{count}} 个会话', { count: data.ended }) }),
  })
  const others = sessions.filter((session) => !session.isThis)
  const endOthers = (): void => {
    void modal.confirm({
      title: t('结束其他全部会话'),
      content: t('在其他 {{count}} 处登录的页面会立即退出，当前页面不受影响。', { count: others.length }),
      okText: t('结束 {{count}} 个会话', { count: others.length }),
      okButtonProps: { danger: true },
      cancelText: t('取消'),
      onOk: () => end.mutateAsync({ input: {} }).catch(() => null),
    })
  }
  return (
    <section className="page-card account-card" aria-labelledby="account-sessions">
      <header>
        <h2 id="account-sessions">{t('登录会话')}</h2>
        {others.length > 0 && (
          <Button look="quiet" busy={end.isPending} onClick={endOthers}>
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
                onClick={() => end.mutate({ input: { id: session.id } })}
              >
                {t('结束会话')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function loginKindLabel(kind: string): string {
  if (kind === 'passkey') return t('通行密钥登录')
  return kind === 'quick' ? t('快捷登录') : t('短信登录')
}
