// The runner as tests start it.
import '../run.js'
