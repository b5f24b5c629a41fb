// File operations on pool threads; see the header.
#include "loop/poller/file_jobs.h"

#include <algorithm>
#include <utility>

#include "loop/poller/perform.h"
#include "rondo/loop.h"

namespace rondo {

void FileJobs::submit(Operation& operation) {
  if (idle_.empty()) {
    all_.push_back(std::make_unique<FileJob>());
    idle_.push_back(all_.back().get());
  }
  FileJob& job = *idle_.back();
  idle_.pop_back();
  job.jobs = this;
  job.operation = &operation;
  job.job_class = JobClass::Fs;
  job.keeps_loop_alive = false;  // the operation counts for itself
  job.is_internal = true;
  job.work = run;
  job.on_done = done;
  operation.poller_data_ = &job;
  if (operation.stream) streams_++;
  ThreadPool::shared().submit(loop_, job);
}

void FileJobs::cancel(Operation& operation) {
  ThreadPool::shared().cancel(*static_cast<FileJob*>(operation.poller_data_));
}

void FileJobs::run(Job& job) {
  auto& self = static_cast<FileJob&>(job);
  Operation& operation = *self.operation;
  self.result = operation.perform ? operation.perform(operation) : perform_file(operation);
}

void FileJobs::done(Job& job, int error) {
  auto& self = static_cast<FileJob&>(job);
  FileJobs& jobs = *self.jobs;
  Operation& operation = *std::exchange(self.operation, nullptr);
  jobs.idle_.push_back(&self);
  if (operation.stream) jobs.streams_--;
  jobs.finish_(jobs.context_, operation, error ? -error : self.result);
}

bool FileJobs::has_stream(int fd) const {
  return streams_ > 0 && std::any_of(all_.begin(), all_.end(), [fd](const std::unique_ptr<FileJob>& job) {
           return job->operation && job->operation->stream && job->operation->fd == fd;
         });
}

}  // namespace rondo
