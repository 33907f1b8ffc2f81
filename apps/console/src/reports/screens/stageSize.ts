import { createContext } from 'react'

/** What the screens are drawn for; everything else is scaled. */
export const stageSize = { width: 1920, height: 1080 } as const

/** By which factor the stage is shown: canvases draw so many pixels more. */
export const StageScale = createContext(1)
