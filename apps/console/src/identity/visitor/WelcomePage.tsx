import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { useBrand } from '#kit/branding.ts'
import { t } from '#kit/i18n/index.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { withRedirect } from '#kit/redirect.ts'
import './visitor.css'

/** The welcome page with links to login and registration. */
export default function WelcomePage(): ReactNode {
  const { appTitle } = useBrand()
  const [query] = useSearchParams()
  const loginPath = withRedirect('/login', query.get('redirect') ?? '/')
  return (
    <>
      <header className="visitor-head">
        <p className="visitor-kicker">{appTitle}</p>
        <h1>{t('一张地图，管好每一辆车')}</h1>
        <p>{t('车辆、骑行、运维与资金实时汇聚，共享电单车的日常运营都在这里完成。')}</p>
      </header>
      <nav className="visitor-ways" aria-label={t('进入平台')}>
        <ButtonLink to={loginPath} look="primary" wide>
          {t('登录')}
        </ButtonLink>
        <ButtonLink to="/register" wide>
          {t('申请加盟')}
        </ButtonLink>
      </nav>
      <dl className="visitor-facts">
        <div>
          <dt>{t('看得见')}</dt>
          <dd>{t('位置、电量与锁态随车辆上报实时更新。')}</dd>
        </div>
        <div>
          <dt>{t('管得住')}</dt>
          <dd>{t('每条指令都显示真实进度，由车辆确认后才算完成。')}</dd>
        </div>
        <div>
          <dt>{t('算得清')}</dt>
          <dd>{t('每一分钱都有凭据，账目随时可核对。')}</dd>
        </div>
      </dl>
    </>
  )
}
