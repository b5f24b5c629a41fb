// Everything of librondo in one include.
#pragma once

#include "rondo/async.h"
#include "rondo/base/clock.h"
#include "rondo/base/function.h"
#include "rondo/base/result.h"
#include "rondo/base/unique_fd.h"
#include "rondo/decider.h"
#include "rondo/fs.h"
#include "rondo/handle.h"
#include "rondo/loop.h"
#include "rondo/observer.h"
#include "rondo/operation.h"
#include "rondo/phase_handles.h"
#include "rondo/poller.h"
#include "rondo/process.h"
#include "rondo/signal.h"
#include "rondo/timer.h"
