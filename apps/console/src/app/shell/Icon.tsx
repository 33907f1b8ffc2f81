import type { ReactElement } from 'react'
import type { MenuIcon } from '@saddle/contract/menu.ts'

export type IconName =
  | MenuIcon
  | 'fold'
  | 'menu'
  | 'close'
  | 'down'
  | 'eye'
  | 'eyeOff'
  | 'search'
  | 'area'
  | 'settings'
  | 'language'
  | 'theme'
  | 'key'
  | 'keyboard'
  | 'link'
  | 'logout'
  | 'person'
  | 'check'
  | 'export'

/** One family of line icons on a 20 px grid; a path per icon, drawn in the colour of the text. */
const paths: Readonly<Record<IconName, string>> = {
  home: 'M3 9.2 10 3.5l7 5.7V16a1 1 0 0 1-1 1h-3.6v-4.6H7.6V17H4a1 1 0 0 1-1-1z',
  screen: 'M2.5 4h15v9.5h-15zM7 17h6M10 13.5V17M5.5 10.5 8 7.8l2 2 3.8-3.6',
  revenue: 'M2.5 4h15v9.5h-15zM7 17h6M7.5 6.2 10 9l2.5-2.8M10 9v3M8 9.6h4M8 11h4',
  vehicle:
    'M5 15.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM15 15.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM5 12.8h5.2l2.6-6.3M7.2 6.2h2.2M8 6.2l2.2 6.6M11.2 4.5h2L15 12.8',
  riders:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 16.5c0-2.8 2-4.5 5-4.5s5 1.7 5 4.5M13 3.8a3 3 0 0 1 0 5.5M14.5 12.3c1.9.6 3 2.1 3 4.2',
  maintenance: 'M16.6 6.2a4 4 0 0 1-5.4 4.4l-5.5 5.7a1.4 1.4 0 0 1-2-2l5.7-5.5a4 4 0 0 1 4.4-5.4l-2.3 2.3.4 2.4 2.4.4z',
  log: 'M4.5 2.8h8.2l2.8 2.8v11.6h-11zM7.2 8h5.6M7.2 11h5.6M7.2 14h3.4',
  permission: 'M10 2.8 16 5v4.6c0 3.5-2.4 6.2-6 7.6-3.6-1.4-6-4.1-6-7.6V5zM7.4 9.8l1.9 1.9 3.4-3.6',
  marketing: 'M3 8.2v3.6h2.6L12 15.4V4.6L5.6 8.2zM14.3 7.4a3.6 3.6 0 0 1 0 5.2M6.4 12l.8 4.2h2',
  config: 'M3 6h7M14 6h3M3 14h3M10 14h7M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  report: 'M3 17h14M5 14V9.5M8.4 14V5M11.7 14V8M15 14V3.5',
  agent: 'M3.5 17V7.2L10 3l6.5 4.2V17M3.5 17h13M7.5 17v-4.5h5V17M7.5 9.2h5',
  production: 'M10 2.8 16.5 6.4v7.2L10 17.2l-6.5-3.6V6.4zM3.7 6.5 10 10l6.3-3.5M10 10v7',
  feedback: 'M3 4h14v9.5h-6.5L7 17v-3.5H3zM6.5 7.5h7M6.5 10h4.5',
  finance: 'M10 17.2a7.2 7.2 0 1 0 0-14.4 7.2 7.2 0 0 0 0 14.4zM7.3 6 10 9.2 12.7 6M10 9.2v5M7.5 10h5M7.5 12h5',
  fold: 'M3 5h14M3 10h8M3 15h14M16.5 7.8 14 10l2.5 2.2',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  close: 'M5.5 5.5l9 9M14.5 5.5l-9 9',
  down: 'M6 8l4 4 4-4',
  eye: 'M2.5 10S5.2 4.8 10 4.8 17.5 10 17.5 10 14.8 15.2 10 15.2 2.5 10 2.5 10zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  eyeOff:
    'M3 3l14 14M8 5a7 7 0 0 1 2-.2c4.8 0 7.5 5.2 7.5 5.2a13 13 0 0 1-2.3 2.9M12.8 14.7a7 7 0 0 1-2.8.5C5.2 15.2 2.5 10 2.5 10a12.6 12.6 0 0 1 3-3.5',
  search: 'M8.8 14.6a5.8 5.8 0 1 0 0-11.6 5.8 5.8 0 0 0 0 11.6zM13 13l4 4',
  area: 'M10 17.2s5.5-4.7 5.5-9A5.5 5.5 0 0 0 4.5 8.2c0 4.3 5.5 9 5.5 9zM10 10.2a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  settings:
    'M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10 2.8v2M10 15.2v2M2.8 10h2M15.2 10h2M4.9 4.9l1.4 1.4M13.7 13.7l1.4 1.4M4.9 15.1l1.4-1.4M13.7 6.3l1.4-1.4',
  language:
    'M10 17.2a7.2 7.2 0 1 0 0-14.4 7.2 7.2 0 0 0 0 14.4zM2.8 10h14.4M10 2.8c-5 4.8-5 9.6 0 14.4M10 2.8c5 4.8 5 9.6 0 14.4',
  theme:
    'M10 17.2a7.2 7.2 0 1 0 0-14.4 7.2 7.2 0 0 0 0 14.4zM10 2.8v14.4M10 6l4-1.5M10 9.5l6.5-2M10 13l6.5-2M10 16l4.5-1.5',
  export: 'M10 3v9.5M6 9l4 4 4-4M4 16.5h12',
  key: 'M7 12.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM9.9 11.3l6.6 5.2M13.3 14l1.5-1.9',
  keyboard: 'M2.5 5.5h15v9h-15zM5.5 8.5h.1M8.5 8.5h.1M11.5 8.5h.1M14.5 8.5h.1M6.5 11.7h7',
  link: 'M8.5 11.5a3 3 0 0 0 4.3 0l2.9-2.9a3 3 0 0 0-4.3-4.3l-1.2 1.2M11.5 8.5a3 3 0 0 0-4.3 0l-2.9 2.9a3 3 0 0 0 4.3 4.3l1.2-1.2',
  logout: 'M8 3.5H3.5v13H8M8 10h9M13.5 6.5 17 10l-3.5 3.5',
  person: 'M10 10a3.4 3.4 0 1 0 0-6.8A3.4 3.4 0 0 0 10 10zM3.8 17c.2-3 2.7-4.7 6.2-4.7s6 1.7 6.2 4.7',
  check: 'M4 10.5l4 4 8-9',
}

/** Decoration beside a text or in a labelled button, hidden from screen readers. */
export function Icon(props: { readonly name: IconName; readonly size?: number }): ReactElement {
  const size = props.size ?? 18
  return (
    <svg className="shell-icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={paths[props.name]} />
    </svg>
  )
}
