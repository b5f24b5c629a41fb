// Types of the findings of `--doctor` (docs/sight.md): process.on('doctor', (finding) => …).
declare namespace NodeJS {
  interface DoctorFinding {
    kind: 'finding';
    class:
      | 'synchronous-block'
      | 'tick-recursion'
      | 'microtask-recursion'
      | 'poll-flood'
      | 'timer-flood'
      | 'message-flood'
      | 'pool-saturation'
      | 'handle-leak'
      | 'memory-leak'
      | 'gc-pressure'
      | 'unsettled-promise'
      | 'slow-start'
      | 'late-timer';
    function: string;
    /** 'file:line:column' */
    place: string;
    cause: string;
    ms: number;
    advice: string;
  }
  interface Process {
    on(event: 'doctor', listener: (finding: DoctorFinding) => void): this;
    once(event: 'doctor', listener: (finding: DoctorFinding) => void): this;
  }
}
