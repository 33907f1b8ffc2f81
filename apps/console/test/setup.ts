import { configure } from '@testing-library/react'
import { minuteMs } from '@saddle/contract/time.ts'

// What is waited for comes a moment later, on a busy machine some: the bound only ends what hangs.
configure({ asyncUtilTimeout: minuteMs })
