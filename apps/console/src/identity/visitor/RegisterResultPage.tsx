import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { t } from '#kit/i18n/index.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { Empty } from '#kit/ui/states.tsx'
import './visitor.css'

/** The number of the application, and what happens next. */
export default function RegisterResultPage(): ReactNode {
  const number = numberIn(useLocation().state)
  if (number === null) {
    return (
      <Empty
        title={t('没有可显示的申请')}
        text={t('申请编号只在提交之后显示一次。如需查询，请致电平台客服。')}
        action={<ButtonLink to="/register">{t('申请加盟')}</ButtonLink>}
      />
    )
  }
  return (
    <>
      <header className="visitor-head">
        <p className="visitor-kicker">{t('申请已提交')}</p>
        <h1 className="visitor-number">{number}</h1>
        <p>{t('这是您的申请编号，请记下来，查询进度时会用到。')}</p>
      </header>
      <ol className="visitor-steps">
        <li>
          <strong>{t('平台审核')}</strong>
          <span>{t('平台核对公司与城市信息。')}</span>
        </li>
        <li>
          <strong>{t('电话联系')}</strong>
          <span>{t('工作人员按所留手机号与您联系，确认合作细节。')}</span>
        </li>
        <li>
          <strong>{t('开通账号')}</strong>
          <span>{t('开通后，用同一手机号与短信验证码即可登录。')}</span>
        </li>
      </ol>
      <nav className="visitor-ways">
        <ButtonLink to="/login-home" wide>
          {t('返回欢迎页')}
        </ButtonLink>
      </nav>
    </>
  )
}

function numberIn(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('applicationNumber' in state)) return null
  return typeof state.applicationNumber === 'string' ? state.applicationNumber : null
}
