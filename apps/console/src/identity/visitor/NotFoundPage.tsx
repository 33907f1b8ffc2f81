import { useEffect, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { titleDocument } from '#kit/branding.ts'
import { t } from '#kit/i18n/index.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import './visitor.css'

/** An unknown address, or one without permission. */
export default function NotFoundPage(): ReactNode {
  const navigate = useNavigate()
  useEffect(() => titleDocument(t('页面不存在')), [])
  return (
    <div className="not-found">
      <svg viewBox="0 0 420 200" fill="none" aria-hidden="true">
        <path className="not-found-road" d="M10 150C90 150 100 70 170 70S250 150 300 150" />
        <path className="not-found-trail" d="M10 150C90 150 100 70 170 70S250 150 300 150" />
        <path className="not-found-end" d="M300 150C340 150 352 120 372 96" />
        <circle className="not-found-start" cx="10" cy="150" r="7" />
        <g transform="translate(300 150)">
          <circle r="26" className="not-found-halo" />
          <path d="M0-11L11 0L0 11L-11 0Z" className="not-found-here" />
        </g>
        <text x="376" y="84" className="not-found-mark">
          ?
        </text>
      </svg>
      <p className="not-found-code">404</p>
      <h1>{t('这条路走不通')}</h1>
      <p>{t('页面不存在，或者您的账号没有查看它的权限。')}</p>
      <div className="not-found-ways">
        <ButtonLink to="/" look="primary">
          {t('返回首页')}
        </ButtonLink>
        <Button onClick={() => void navigate(-1)}>{t('返回上一页')}</Button>
      </div>
    </div>
  )
}
